import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorText } from './states.tsx';

interface Saving {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
}

/** A form in a dialog. It protects entries from accidental loss, and shows a refusal above its buttons. */
export function FormDialog({
  title,
  action,
  saving,
  isBlocked = false,
  extra,
  onSave,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly saving: Saving;
  /** The form cannot be saved here. */
  readonly isBlocked?: boolean;
  /** Other actions on the same object. */
  readonly extra?: ReactNode;
  readonly onSave: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [isFilled, setFilled] = useState(false);
  return (
    <Dialog title={title} isFilled={isFilled} onClose={onClose}>
      <form
        className="form"
        onChange={() => setFilled(true)}
        onSubmit={(event) => {
          event.preventDefault();
          onSave(new FormData(event.currentTarget));
        }}
      >
        {children}
        {saving.isError && <ErrorText error={saving.error} />}
        <div className="form-actions">
          {extra !== undefined && <span className="form-extra">{extra}</span>}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={saving.isPending} disabled={isBlocked}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
