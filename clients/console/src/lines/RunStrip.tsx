import { useState } from 'react';
import './lines.css';
import type { Line } from '../api/lines.ts';
import { useAccount } from '../app/account.tsx';
import { Button } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { ACTIONS, countLines } from './actions.ts';
import { LineDialog } from './LineDialog.tsx';
import { RunView } from './RunView.tsx';
import { isSending, type Run, useRuns } from './runs.ts';

function stateOf(run: Run): string {
  if (isSending(run)) return 'being sent';
  return run.parts.every(({ state }) => state === 'sent') ? 'sent' : 'not all sent';
}

/** The last action on lines of this page, for when its dialog is closed. */
export function RunStrip() {
  const accountName = useAccount();
  const { runs, forget } = useRuns(accountName);
  const [shownId, setShownId] = useState<string>();
  const [again, setAgain] = useState<{ readonly run: Run; readonly lines: readonly Line[] }>();
  const last = runs[0];
  const shown = runs.find(({ id }) => id === shownId);
  return (
    <>
      {last !== undefined && (
        <div className="strip run-strip" role="status">
          {ACTIONS[last.action.kind].label}: {countLines(last.count)} {stateOf(last)}.
          <Button onClick={() => setShownId(last.id)}>Show</Button>
          {!isSending(last) && <Button onClick={() => forget(last)}>Dismiss</Button>}
        </div>
      )}
      {shown !== undefined && (
        <Dialog title={ACTIONS[shown.action.kind].label} wide onClose={() => setShownId(undefined)}>
          <RunView
            run={shown}
            onAgain={(lines) => {
              setShownId(undefined);
              setAgain({ run: shown, lines });
            }}
            onClose={() => setShownId(undefined)}
          />
        </Dialog>
      )}
      {again !== undefined && (
        <LineDialog
          kind={again.run.action.kind}
          begun={again.run.action}
          lines={again.lines}
          onClose={() => setAgain(undefined)}
        />
      )}
    </>
  );
}
