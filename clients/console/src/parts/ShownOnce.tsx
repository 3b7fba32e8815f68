import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';

/** A secret that was just made: the service keeps no copy that it could show again. */
export function ShownOnce({
  title,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** What it is for. */
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        {children}
        <pre className="json">{secret}</pre>
        <div className="form-actions">
          <CopyButton label="Copy it" text={secret} />
          <Button kind="main" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
