import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorText } from './states.tsx';

/** Asks before an action that cannot be undone, or that others notice at once. */
export function ConfirmDialog({
  title,
  action,
  keep = 'Cancel',
  kind = 'danger',
  busy,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  /** Label for dismissing the dialog when "Cancel" would be ambiguous. */
  readonly keep?: string;
  readonly kind?: 'danger' | 'main';
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
          <Button onClick={onClose}>{keep}</Button>
          <Button kind={kind} busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
