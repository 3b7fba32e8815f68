import { useState } from 'react';
import type { Move } from '../api/sandbox.ts';
import { Button } from '../parts/Button.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';

export const STEPS = [
  ['PT5M', '5 minutes'],
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '1 week'],
  ['P1M', '1 month'],
] as const;
/** Moves long enough to end a billing month, which cannot be undone. */
const LONG = 'P1M';

/** Advances the clock by a step or to a time. Disabled while the clock is moving. */
export function MoveForm({
  disabled,
  onMove,
}: {
  readonly disabled: boolean;
  readonly onMove: (move: Move) => void;
}) {
  const [asked, setAsked] = useState(false);
  const [isStill, setStill] = useState(false);
  const move = (to: Move) => onMove(isStill ? { ...to, life: false } : to);
  return (
    <div className="stack">
      <fieldset disabled={disabled}>
        <legend className="small soft">Advance by</legend>
        <div className="row" style={{ marginTop: 6 }}>
          {STEPS.map(([advance, words]) => (
            <Button key={advance} onClick={() => (advance === LONG ? setAsked(true) : move({ advance }))}>
              {words}
            </Button>
          ))}
        </div>
      </fieldset>
      <form
        className="row"
        style={{ alignItems: 'flex-end' }}
        onSubmit={(event) => {
          event.preventDefault();
          const at = String(new FormData(event.currentTarget).get('at'));
          move({ set: new Date(`${at}Z`).toISOString() });
        }}
      >
        <TextField label="Or to a time (UTC)" name="at" type="datetime-local" required disabled={disabled} />
        <Button type="submit" kind="main" disabled={disabled}>
          Advance to this time
        </Button>
      </form>
      <CheckField
        label="Pause simulated devices during the move"
        checked={isStill}
        onChange={(event) => setStill(event.target.checked)}
      />
      <p className="small soft">
        Everything due along the way happens at its own time: retries, reminders, billing months.
      </p>
      {asked && (
        <ConfirmDialog
          title="Advance by a month?"
          action="Advance"
          busy={false}
          error={null}
          onConfirm={() => {
            setAsked(false);
            move({ advance: LONG });
          }}
          onClose={() => setAsked(false)}
        >
          <p>A billing month ends along the way for every account. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
