import { Check } from 'lucide-react';
import { useEffect, useId, useRef, useState, type SubmitEventHandler } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { messagesCleared, selectSubscriber, subscribeRequested } from './newsletter-slice.ts';

type NewsletterFormProps = {
  /** The button's labels: 'Subscribe', and 'Subscribing...' meanwhile. */
  readonly submit: string;
  readonly busy: string;
  /** A line below the input. */
  readonly note?: string;
};

/** The typed address and its error. An empty one is not sent. */
const useSubscription = () => {
  const dispatch = useDispatch();
  const { error } = useSelector(selectSubscriber);
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState(false);
  const [isEmpty, setIsEmpty] = useState(false);
  const send: SubmitEventHandler = (event) => {
    event.preventDefault();
    const address = email.trim();
    setIsEmpty(address === '');
    setAsked(true);
    if (address !== '') dispatch(subscribeRequested(address));
  };
  useEffect(() => () => void dispatch(messagesCleared()), [dispatch]);
  return { email, setEmail, send, asked, problem: isEmpty ? 'Please enter your email address' : error };
};

/** An email form on a dark red background. The server's message replaces it after success. */
export const NewsletterForm = ({ submit, busy, note }: NewsletterFormProps) => {
  const { loading, successMessage } = useSelector(selectSubscriber);
  const { email, setEmail, send, asked, problem } = useSubscription();
  const noteId = useId();
  if (successMessage !== null) return <Joined takesFocus={asked}>{successMessage}</Joined>;
  return (
    <form noValidate onSubmit={send} className="w-full max-w-xl md:justify-self-end">
      <div className="flex flex-col gap-3 sm:flex-row sm:gap-0">
        <EmailBox value={email} onChange={setEmail} noteId={noteId} isWrong={problem !== null} takesFocus={asked} readOnly={loading} />
        <Button
          type="submit"
          kind="light"
          size="lg"
          busy={loading ? busy : undefined}
          className="disabled:bg-petal disabled:text-oxblood sm:min-w-46 sm:rounded-l-none"
        >
          {submit}
        </Button>
      </div>
      {problem !== null && (
        <Alert id={noteId} className="mt-3">
          {problem}
        </Alert>
      )}
      {note !== undefined && <p className="mt-3 text-xs text-petal">{note}</p>}
      <p role="status" className="sr-only">
        {loading && busy}
      </p>
    </form>
  );
};

type EmailBoxProps = {
  readonly value: string;
  readonly onChange: (email: string) => void;
  /** The id of the error text. */
  readonly noteId: string;
  readonly isWrong: boolean;
  /** Whether the error is about what this form sent; then the focus returns to its input. */
  readonly takesFocus: boolean;
  readonly readOnly: boolean;
};

const EmailBox = ({ value, onChange, noteId, isWrong, takesFocus, readOnly }: EmailBoxProps) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWrong && takesFocus) input.current?.focus();
  }, [isWrong, takesFocus]);
  return (
    <input
      ref={input}
      type="email"
      name="email"
      aria-label="Your email address"
      required
      autoComplete="email"
      placeholder="Your email address"
      value={value}
      readOnly={readOnly}
      onChange={({ target }) => onChange(target.value)}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? noteId : undefined}
      className="relative h-13 w-full min-w-0 rounded-xs border border-madder bg-transparent px-5 text-ivory placeholder:text-petal hover:border-ivory focus:z-1 aria-invalid:border-blush sm:rounded-r-none sm:border-r-0"
    />
  );
};

/** Takes the focus if it was in the form; announced in any case. */
const Joined = ({ takesFocus, children }: { readonly takesFocus: boolean; readonly children: string }) => {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, [takesFocus]);
  return (
    <p ref={place} role="status" tabIndex={-1} className="display flex items-center gap-3 text-h3 outline-none md:justify-self-end">
      <Check className="size-6 shrink-0 text-gold-pale" strokeWidth={1.5} />
      {children}
    </p>
  );
};
