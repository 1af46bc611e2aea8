import { type ReactNode, useId } from 'react';
import { Alert } from '../feedback/Alert.tsx';
import { Button } from '../Button.tsx';
import type { ButtonLook } from '../button-style.ts';
import { Modal } from './Modal.tsx';
import type { useValidatedForm } from '../form/use-validated-form.ts';

type FormDialogProps = {
  readonly title: string;
  readonly description: ReactNode;
  readonly action: string;
  /** The look of the deed's button. */
  readonly kind?: ButtonLook['kind'];
  /** Names what stays as it is without the deed. */
  readonly keep: string;
  /** The button shows this text while the form is sent. */
  readonly busy: string;
  readonly form: Pick<ReturnType<typeof useValidatedForm>, 'message' | 'submit' | 'isSending'>;
  readonly onClose: () => void;
  /** The fields of the form. */
  readonly children: ReactNode;
};

/** A dialog with one form, which is sent or left. It cannot be closed while the form is sent. */
export const FormDialog = ({ title, description, action, kind, keep, busy, form, onClose, children }: FormDialogProps) => {
  const formId = useId();
  const { message, submit, isSending } = form;
  return (
    <Modal
      open
      isBusy={isSending}
      onClose={onClose}
      title={title}
      description={description}
      foot={
        <>
          <Button kind="quiet" disabled={isSending} onClick={onClose}>
            {keep}
          </Button>
          <Button type="submit" kind={kind} form={formId} className="leading-tight! whitespace-normal!" busy={isSending ? busy : undefined}>
            {action}
          </Button>
        </>
      }
    >
      {message !== undefined && <Alert className="mt-5">{message}</Alert>}
      <form id={formId} noValidate onSubmit={submit} className="mt-5 grid gap-5">
        {children}
      </form>
    </Modal>
  );
};
