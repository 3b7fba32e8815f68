import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decideFiring, type TriggerFiring } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { sentenceOf } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { actionWords, countOf } from '../../text/action.ts';
import { reasonOf } from '../../text/firing.ts';
import { formatNumber } from '../../text/format.ts';

export type Decision = 'approve' | 'reject';
/** A firing to decide on, with the name of its trigger if it is shown. */
export type Decided = TriggerFiring & { readonly triggerName?: string };

interface Refused {
  readonly firing: Decided;
  readonly why: string;
}

const SAID_MAX = 8;
const WORDS = {
  approve: { label: 'Approve', done: 'approved' },
  reject: { label: 'Reject', done: 'rejected' },
} as const;

const waitingOf = ({ actions }: Decided) => actions.filter(({ state }) => state === 'awaitingApproval');
const linesOf = (firings: readonly Decided[]): number =>
  firings.flatMap(waitingOf).reduce((sum, { deviceCount }) => sum + deviceCount, 0);

/** The consequences of each firing; the first ones in words. */
function Consequences({
  firings,
  decision,
}: {
  readonly firings: readonly Decided[];
  readonly decision: Decision;
}) {
  const more = firings.length - SAID_MAX;
  return (
    <>
      <p>
        {decision === 'approve'
          ? 'This happens now, to the lines counted when the trigger fired:'
          : 'None of this happens. The firings stay on record:'}
      </p>
      <ul className="stack" style={{ gap: 8, paddingLeft: 18 }}>
        {firings.slice(0, SAID_MAX).map((firing) => (
          <li key={firing.firingId}>
            {waitingOf(firing).map((action) => (
              <p key={`${action.accountName} ${action.kind} ${JSON.stringify(action.params)}`}>
                {decision === 'reject' && 'Rejected: '}
                {actionWords(action)}
              </p>
            ))}
            <p className="small soft">
              {firing.triggerName !== undefined && `${firing.triggerName}: `}
              {reasonOf(firing)}
            </p>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small soft">and {formatNumber(more)} more</p>}
    </>
  );
}

function Refusals({
  refused,
  decision,
}: {
  readonly refused: readonly Refused[];
  readonly decision: Decision;
}) {
  return (
    <div className="problem" role="alert">
      <p>
        {countOf(refused.length, 'firing')} could not be {WORDS[decision].done}:
      </p>
      <ul style={{ paddingLeft: 18 }}>
        {refused.slice(0, SAID_MAX).map(({ firing, why }) => (
          <li key={firing.firingId}>
            {firing.triggerName ?? reasonOf(firing)}: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Sends the decisions one by one, so that a refusal does not block the others. */
function useDeciding(decision: Decision, onDone: () => void) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [decided, setDecided] = useState(0);
  const deciding = useMutation({
    mutationFn: async (firings: readonly Decided[]) => {
      const refused: Refused[] = [];
      for (const [n, firing] of firings.entries()) {
        setDecided(n);
        await decideFiring(accountName, firing.firingId, decision).catch((error: unknown) =>
          refused.push({ firing, why: sentenceOf(error) }),
        );
      }
      return refused;
    },
    onSuccess: async (refused, firings) => {
      const done = firings.length - refused.length;
      if (done > 0) say(`${countOf(done, 'firing')} ${WORDS[decision].done}`);
      if (refused.length === 0) onDone();
      await Promise.all(
        ['approvals', 'firings'].map((topic) => queries.invalidateQueries({ queryKey: [topic] })),
      );
    },
  });
  return { ...deciding, decided };
}

/** Describes what will happen to how many lines, and sends the decision. */
export function DecideDialog({
  firings,
  decision,
  onDone,
  onClose,
}: {
  readonly firings: readonly Decided[];
  readonly decision: Decision;
  /** Called when all are decided. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { confirmLines } = useSession();
  // A copy from when the dialog opened, unaffected by refetches.
  const [asked] = useState(firings);
  const [typed, setTyped] = useState('');
  const { mutate, isPending, data: refused, decided } = useDeciding(decision, onDone);
  const left = refused?.map(({ firing }) => firing) ?? asked;
  const lines = linesOf(asked);
  const mustType = decision === 'approve' && lines > confirmLines;
  const isTyped = !mustType || typed.replaceAll(/[,.\s]/g, '') === String(lines);
  const { label } = WORDS[decision];
  return (
    <Dialog title={`${label} ${countOf(asked.length, 'firing')}?`} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) mutate(left);
        }}
      >
        <Consequences firings={left} decision={decision} />
        {refused !== undefined && refused.length > 0 && <Refusals refused={refused} decision={decision} />}
        {mustType && (
          <TextField
            label={`Type ${lines} to continue`}
            hint="The number of lines affected by all firings together."
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        <p className="small soft" aria-live="polite">
          {isPending && asked.length > 1 && `${formatNumber(decided)} of ${formatNumber(left.length)}`}
        </p>
        <div className="form-actions">
          <Button onClick={onClose}>{refused === undefined ? 'Cancel' : 'Close'}</Button>
          <Button
            kind={decision === 'approve' ? 'main' : 'danger'}
            type="submit"
            busy={isPending}
            disabled={!isTyped || left.length === 0}
          >
            {refused === undefined ? label : 'Try again'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
