import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { ICONS, Icon } from './Icon.tsx';

/** The browser's own modal dialog, which traps the focus, closes with Escape and restores the focus. */
export function Dialog({
  title,
  wide = false,
  isFilled = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly wide?: boolean;
  /** The form has entries, which an accidental key press must not discard. */
  readonly isFilled?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState(false);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open) return;
    element.showModal();
    // By default the browser focuses the first control, which is the close button.
    element.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      data-wide={wide}
      aria-labelledby={id}
      onCancel={(event) => {
        if (!isFilled) return;
        event.preventDefault();
        setAsked(true);
      }}
      onClose={onClose}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button
          kind="plain"
          className="icon-only"
          aria-label="Close"
          onClick={() => (isFilled ? setAsked(true) : dialog.current?.close())}
        >
          <Icon d={ICONS.close} />
        </Button>
      </header>
      <div className="dialog-body">{children}</div>
      {asked && <Discard onKeep={() => setAsked(false)} onDiscard={onClose} />}
    </dialog>
  );
}

function Discard({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  return (
    <Dialog title="Discard your entries?" onClose={onKeep}>
      <div className="form">
        <p>Your entries have not been saved.</p>
        <div className="form-actions">
          <Button onClick={onKeep}>Keep editing</Button>
          <Button kind="danger" onClick={onDiscard}>
            Discard
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
