import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { TextField } from '../../parts/fields.tsx';

const WORD = 'reset';

/** All data goes: nobody shall do it by a slip of the hand. */
export function ResetDialog({
  onClose,
  onReset,
}: {
  readonly onClose: () => void;
  readonly onReset: () => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog title="Empty the sandbox" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onReset();
        }}
      >
        <p>Every account, device, trigger and callback is deleted, and the clock goes back to real time.</p>
        <TextField
          label={`Type ${WORD} to do it`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
        />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" disabled={typed !== WORD}>
            Delete everything
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
