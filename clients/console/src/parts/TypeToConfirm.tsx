import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { TextField } from './fields.tsx';
import { ErrorText } from './states.tsx';

/** Asks the user to type a word before a deletion, so that it cannot happen by accident. */
export function TypeToConfirm({
  title,
  word,
  action,
  busy = false,
  error = null,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly word: string;
  readonly action: string;
  readonly busy?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
        <TextField
          label={`Type ${word} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          data-first-focus
        />
        {error !== null && <ErrorText error={error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={typed !== word}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
