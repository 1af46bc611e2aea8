import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { saveFile } from '../../lib/save-file.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useFirstFieldFocus } from '../../ui/form/use-first-field-focus.ts';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { Modal } from '../../ui/overlay/Modal.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { useConfirmSecondFactorMutation, type Seed } from './account-api.ts';

type EnrolProps = {
  readonly seed: Seed;
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
};

const STEP = 'grid grid-cols-[1.75rem_1fr]';

/** Shows a new seed as QR code and as text, and takes its first code. */
export const EnrolSecondFactor = ({ seed, onConfirmed, onCancel }: EnrolProps) => {
  const form = useFirstFieldFocus();
  const [confirm] = useConfirmSecondFactorMutation();
  const { field, submit, isSending } = useValidatedForm<{ code: string }>({
    validate: (values) => findMissing(['code'], values),
    send: async ({ code }) => onConfirmed(await confirm(code).unwrap()),
    blamed: ({ message, errors }) => ({ code: errors?.['code'] ?? message }),
  });
  return (
    <div className="mt-5 grid gap-x-10 gap-y-6 bg-paper p-5 sm:grid-cols-[auto_1fr] sm:p-7">
      <QrCode text={seed.otpauthUrl} />
      <ol className="space-y-5">
        <li className={STEP}>
          <span aria-hidden="true" className="display text-[1.25rem] leading-snug">
            1
          </span>
          <div>
            <p>Scan the code with your authenticator: Aegis, Google Authenticator, 1Password and others.</p>
            <details className="mt-1">
              <summary className="inline-flex min-h-11 cursor-pointer items-center text-[0.9375rem] font-medium">
                <span className="link">Type it in instead</span>
              </summary>
              <p translate="no" className="font-mono text-[0.875rem] tracking-[0.08em] wrap-anywhere">
                {seed.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
              </p>
            </details>
          </div>
        </li>
        <li className={STEP}>
          <span aria-hidden="true" className="display text-[1.25rem] leading-snug">
            2
          </span>
          <form ref={form} noValidate onSubmit={submit}>
            <Field
              {...field('code')}
              label="Enter the six digits that it shows."
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              className="max-w-[15rem]"
            />
            <div className="mt-4 flex flex-wrap gap-3">
              <Button type="submit" busy={isSending ? 'Turning it on...' : undefined}>
                Turn it on
              </Button>
              <Button kind="quiet" onClick={onCancel}>
                Not now
              </Button>
            </div>
          </form>
        </li>
      </ol>
    </div>
  );
};

/** Drawn as one path, a row of dark modules a stroke, with the quiet zone that scanners need. */
const QrCode = ({ text }: { readonly text: string }) => {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { ecc: 'M', border: 0 });
    const rows = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: data.length, path: rows.join('') };
  }, [text]);
  return (
    <div>
      <div className="inline-flex bg-white p-3.5 forced-color-adjust-none">
        <svg
          viewBox={`-1 -1 ${size + 2} ${size + 2}`}
          className="size-44"
          role="img"
          aria-label="QR code for your authenticator"
          shapeRendering="crispEdges"
        >
          <path d={path} className="fill-ink" />
        </svg>
      </div>
    </div>
  );
};

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onKept: () => void };

/** Nothing but the button closes it: a click beside it would lose the codes. */
export const RecoveryCodes = ({ codes, onKept }: RecoveryCodesProps) => {
  const text = `${codes.join('\n')}\n`;
  return (
    <Modal
      open
      isClosedByFootOnly
      onClose={onKept}
      title="Keep these ten codes"
      description={<p>The second factor is on. Should your telephone be lost, each code lets you in once. They are shown this one time.</p>}
      foot={<Button onClick={onKept}>I have kept them</Button>}
    >
      <ol translate="no" className="mt-5 grid grid-cols-2 gap-x-8 border-t border-sandal font-mono text-[1rem]">
        {codes.map((code) => (
          <li key={code} className="border-b border-sandal/70 py-2 tracking-[0.04em]">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-x-6">
        <CopyButton text={text}>Copy</CopyButton>
        <TextButton size="sm" onClick={() => saveFile('ruhani-recovery-codes.txt', 'text/plain', [text])}>
          <Download className="size-4" strokeWidth={1.5} />
          <span>Download</span>
        </TextButton>
      </div>
    </Modal>
  );
};
