import { Check } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { useMountedRegion } from '../../ui/feedback/Status.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { useSubscribeMutation } from './newsletter-api.ts';
import { messagesCleared, selectSubscriber } from './newsletter-slice.ts';

export type NewsletterFormProps = { readonly submit: string; readonly busy: string; readonly note?: string };

/** An email form on a dark red background. After success the server's message replaces it. */
export const NewsletterForm = ({ submit, busy, note }: NewsletterFormProps) => {
  const dispatch = useDispatch();
  const { loading, error, successMessage } = useSelector(selectSubscriber);
  const [subscribe] = useSubscribeMutation();
  const {
    field,
    submit: onSubmit,
    isSubmitted,
  } = useValidatedForm<{ email: string }>({
    validate: ({ email }) => (email.trim() === '' ? { email: 'Please enter your email address' } : {}),
    send: ({ email }) => subscribe(email.trim()).unwrap(),
    blamed: ({ message }) => ({ email: message }),
  });
  const noteId = useId();
  useEffect(() => () => void dispatch(messagesCleared()), [dispatch]);
  if (successMessage !== null) return <Joined takesFocus={isSubmitted}>{successMessage}</Joined>;
  const { error: ownProblem, ...input } = field('email');
  // Until it is submitted, the form shows the outcome of a subscription from another form.
  const problem = ownProblem ?? (isSubmitted ? null : error);
  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="flex flex-col gap-3 sm:flex-row sm:gap-0">
        <input
          {...input}
          type="email"
          aria-label="Your email address"
          required
          autoComplete="email"
          placeholder="Your email address"
          readOnly={loading}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : noteId}
          className="relative h-13 w-full min-w-0 rounded-xs border border-madder bg-transparent px-5 text-ivory placeholder:text-petal hover:border-ivory focus:z-1 aria-invalid:border-blush sm:rounded-r-none sm:border-r-0"
        />
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

/** Takes the focus if it was in the form. Screen readers announce the text in any case. */
const Joined = ({ takesFocus, children }: { readonly takesFocus: boolean; readonly children: string }) => {
  const place = useRef<HTMLParagraphElement>(null);
  const { isMounted, ref } = useMountedRegion();
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, [takesFocus]);
  return (
    <p
      ref={(element) => {
        place.current = element;
        ref(element);
      }}
      role="status"
      tabIndex={-1}
      className="display flex items-center gap-3 text-h3 outline-none md:justify-end"
    >
      <Check className="size-6 shrink-0 text-gold-pale" strokeWidth={1.5} />
      {isMounted && children}
    </p>
  );
};
