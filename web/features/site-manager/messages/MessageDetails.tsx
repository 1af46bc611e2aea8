import { Send } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { Link } from 'react-router-dom';
import { LONGEST_ANSWER } from '#domain/message/message.ts';
import { dayText, momentText } from '../../../lib/dates.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createMailto } from '../../../lib/mailto.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { BackToList } from '../BackToList.tsx';
import { useAnswerMessageMutation } from '../admin-api.ts';
import type { AdminStore } from '../admin-store.ts';
import type { ContactMessage } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import { answerSent, answerTyped } from './answer-drafts.ts';

type MessageDetailsProps = {
  readonly message: ContactMessage;
  /** The list is not beside it. */
  readonly isAlone: boolean;
  /** It has left the list. */
  readonly isGone: boolean;
  readonly onAnswered: () => void;
};

/** A message in full, the orders that it names, its answers, and the box for one. */
export const MessageDetails = ({ message: shown, isAlone, isGone, onAnswered }: MessageDetailsProps) => {
  const { name, email, phone, createdAt, message, answers, mailProblem } = shown;
  const [isAgain, setAgain] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const onSent = (): void => {
    setAgain(false);
    onAnswered();
    title.current?.focus({ preventScroll: true });
  };
  return (
    <article className="min-w-0 pt-2 lg:pt-5 lg:pl-6 xl:pl-8">
      {isAlone && <BackToList>All messages</BackToList>}
      <Status className={cx('text-[0.9375rem] text-clove', isGone && 'mb-4')}>
        {isGone && 'This message is no longer in this list. Look for it under All before you answer it.'}
      </Status>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h3 ref={title} tabIndex={-1} className="display text-h3 wrap-anywhere outline-none">
            {name}
          </h3>
          <p className="flex flex-wrap gap-x-5 text-[0.875rem]">
            <a href={createMailto(email)} className="link inline-flex min-h-9 items-center wrap-anywhere max-lg:min-h-11">
              {email}
            </a>
            {phone !== '' && <span className="figures inline-flex min-h-9 items-center wrap-anywhere max-lg:min-h-11">{phone}</span>}
          </p>
        </div>
        <p className="figures text-[0.875rem] text-clove">{momentText(createdAt)}</p>
      </div>
      <p className="mt-4 max-w-[40rem] text-[1.0625rem] leading-[1.7] whitespace-pre-line wrap-anywhere">{message}</p>
      <NamedOrders message={message} />
      {answers.map(({ text, at, by }) => (
        <div key={at} className="mt-6 max-w-[40rem] border-l-2 border-khus pl-4">
          <p className="figures text-[0.8125rem] text-clove">
            Answered by {by}, {momentText(at)}
          </p>
          <p className="mt-1.5 leading-relaxed whitespace-pre-line wrap-anywhere">{text}</p>
        </div>
      ))}
      {mailProblem && (
        <p className="mt-6 max-w-[40rem] text-[0.9375rem] leading-relaxed wrap-anywhere text-sindoor">
          <span className="font-medium">An answer did not reach {mailProblem.to ?? name}.</span> {mailProblem.reason}. It was given up on{' '}
          {dayText(mailProblem.at)}.
        </p>
      )}
      {answers.length === 0 || isAgain ? (
        <AnswerForm message={shown} onSent={onSent} />
      ) : (
        <Button kind="outline" className="mt-6" onClick={() => setAgain(true)}>
          Send answer again
        </Button>
      )}
    </article>
  );
};

const NUMBERS = /\bRH-[2-9A-HJKMNP-Z]{8}\b/g;

/** Leads to the orders whose numbers stand in the message. */
const NamedOrders = ({ message }: Pick<ContactMessage, 'message'>) => {
  const numbers = [...new Set(message.match(NUMBERS) ?? [])];
  if (numbers.length === 0) return null;
  return (
    <ul className="mt-5 flex flex-wrap gap-x-5 border-y border-sandal py-2 text-[0.875rem]">
      {numbers.map((number) => (
        <li key={number}>
          <Link to={`?panel=orders&q=${number}`} className="link figures inline-flex min-h-9 items-center font-semibold max-lg:min-h-11">
            {number}
          </Link>
        </li>
      ))}
    </ul>
  );
};

type AnswerFormProps = { readonly message: ContactMessage; readonly onSent: () => void };

const AnswerForm = ({ message: { _id: id, email, answers }, onSent }: AnswerFormProps) => {
  const notify = useNotify();
  const { getState, dispatch } = useStore<ReturnType<AdminStore['getState']>>();
  const [answer] = useAnswerMessageMutation();
  // The page knows of these answers: another one is meant only then.
  const again = answers.length > 0;
  const box = useId();
  const { field, submit, watch, message, isSending } = useValidatedForm<{ answer: string }>({
    defaultValues: { answer: getState().answerDrafts[id] ?? '' },
    validate: (values) => findMissing(['answer'], values),
    onTyped: ({ answer: text = '' }) => void dispatch(answerTyped({ id, text })),
    send: async ({ answer: text }) => {
      await answer({ id, answer: text.trim(), again }).unwrap();
      dispatch(answerSent(id));
      notify({ kind: 'success', message: `Your answer goes to ${email}` });
      onSent();
    },
  });
  const { error, ...input } = field('answer');
  const onKeyDown = ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
    if (key === 'Enter' && (ctrlKey || metaKey)) submit();
  };
  return (
    <form noValidate onSubmit={submit} className="mt-6">
      <label htmlFor={box} className="flex items-baseline justify-between text-[0.875rem] font-medium">
        <span>{again ? 'Your further answer' : 'Your answer'}</span>
        <span className="figures text-xs font-normal text-clove">
          {formatNumber(watch('answer').length)} of {formatNumber(LONGEST_ANSWER)}
        </span>
      </label>
      <textarea
        {...input}
        id={box}
        rows={8}
        maxLength={LONGEST_ANSWER}
        onKeyDown={onKeyDown}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${box}-hint`}
        className="mt-2 w-full rounded-xs border border-teak bg-white px-4 py-3 text-[1rem] leading-relaxed hover:border-ink"
      />
      {error && <p className="mt-2 text-[0.875rem] font-medium text-sindoor">{error}</p>}
      <p id={`${box}-hint`} className="mt-2 text-[0.8125rem] text-clove">
        Goes to <span className="wrap-anywhere">{email}</span> with the message below your words. A reply to it comes to us as a mail.
      </p>
      {message !== undefined && <Alert className="mt-4">{message}</Alert>}
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button type="submit" busy={isSending ? 'Sending...' : undefined} className="max-sm:w-full">
          <Send className="size-4" strokeWidth={1.5} aria-hidden="true" />
          <span>{again ? 'Send answer again' : 'Send answer'}</span>
        </Button>
        <span aria-hidden="true" className="flex gap-1 max-lg:hidden">
          <Key>Ctrl</Key>
          <Key>Enter</Key>
        </span>
      </div>
    </form>
  );
};

const Key = ({ children }: { readonly children: string }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-xs border border-sandal bg-ivory px-1.5 font-sans text-xs leading-none text-clove">
    {children}
  </kbd>
);
