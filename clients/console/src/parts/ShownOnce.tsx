import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';

/** Shows a new secret; the service keeps no copy that it could show again. */
export function ShownOnce({
  title,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** Explains the use of the secret. */
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        {children}
        <pre className="json">{secret}</pre>
        <div className="form-actions">
          <CopyButton label="Copy the secret" text={secret} />
          <Button kind="main" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
