import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorText } from './states.tsx';

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({
  title,
  action,
  busy,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        {children}
        {error !== null && <ErrorText error={error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
