import { type FormEvent, useMemo, useState } from 'react';
import type { ActionKind, Line, LineAction } from '../api/lines.ts';
import { useAccount } from '../app/account.tsx';
import { useNow } from '../app/clock.tsx';
import { useSession } from '../app/session.tsx';
import { Button } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { formatDay } from '../text/format.ts';
import { ActionFields, FIRST, isComplete } from './ActionFields.tsx';
import { ACTIONS, countLines, sentenceOf, sortLines } from './actions.ts';
import { RunView } from './RunView.tsx';
import { useRuns } from './runs.ts';

/** The longest suspension of a line. */
const SUSPENDED_DAYS = 90;
const DAY_MS = 86_400_000;
const NAMED_MAX = 5;

const nameOf = ({ name, ids, deviceId }: Line): string => name ?? ids[0]?.id ?? deviceId;

/** Names the first lines, so that the user notices a wrong selection. */
function Named({ lines }: { readonly lines: readonly Line[] }) {
  const more = lines.length - NAMED_MAX;
  const named = lines.slice(0, NAMED_MAX).map(nameOf).join(', ');
  return (
    <p className="small soft">
      {named}
      {more > 0 && ` and ${countLines(more)} more`}
    </p>
  );
}

function ActionForm({
  kind,
  begun,
  lines,
  onSend,
  onClose,
}: {
  readonly kind: ActionKind;
  readonly begun: LineAction | undefined;
  readonly lines: readonly Line[];
  readonly onSend: (action: LineAction, lines: readonly Line[]) => void;
  readonly onClose: () => void;
}) {
  const accountName = useAccount();
  const { confirmLines } = useSession();
  const now = useNow();
  const [action, setAction] = useState<LineAction>(begun ?? FIRST[kind]);
  const [typed, setTyped] = useState('');
  const { sent, notes } = useMemo(() => sortLines(kind, lines), [kind, lines]);
  const { label, isHard = false } = ACTIONS[kind];
  const until = formatDay(new Date(now + SUSPENDED_DAYS * DAY_MS).toISOString());
  const mustType = isHard && sent.length > confirmLines;
  const isTyped = !mustType || typed.replaceAll(/[,.\s]/g, '') === String(sent.length);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isTyped && isComplete(action) && sent.length > 0) onSend(action, sent);
  };
  return (
    <form className="form" onSubmit={send}>
      <ActionFields action={action} onChange={setAction} />
      <p>{sentenceOf(action, countLines(sent.length), accountName, until)}</p>
      <Named lines={sent} />
      {notes.map((note) => (
        <p key={note} className="small" role="note">
          {note}
        </p>
      ))}
      {mustType && (
        <TextField
          label={`Type ${sent.length} to continue`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <div className="form-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={isHard ? 'danger' : 'main'}
          type="submit"
          disabled={!isTyped || !isComplete(action) || sent.length === 0}
        >
          {label} {countLines(sent.length)}
        </Button>
      </div>
    </form>
  );
}

/** Asks, sends and shows the result. Sending continues after the dialog is closed; `RunStrip` leads back to it. */
export function LineDialog({
  kind,
  begun,
  lines,
  onClose,
}: {
  readonly kind: ActionKind;
  /** The values from an earlier run. */
  readonly begun?: LineAction;
  readonly lines: readonly Line[];
  readonly onClose: () => void;
}) {
  const { runs, start } = useRuns(useAccount());
  const [runId, setRunId] = useState<string>();
  const [again, setAgain] = useState<{ readonly action: LineAction; readonly lines: readonly Line[] }>();
  const run = runs.find(({ id }) => id === runId);
  return (
    <Dialog title={ACTIONS[kind].label} wide={run !== undefined} onClose={onClose}>
      {run === undefined ? (
        <ActionForm
          kind={kind}
          begun={again?.action ?? begun}
          lines={again?.lines ?? lines}
          onSend={(action, sent) => setRunId(start(action, sent))}
          onClose={onClose}
        />
      ) : (
        <RunView
          run={run}
          onAgain={(failed) => {
            setAgain({ action: run.action, lines: failed });
            setRunId(undefined);
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
