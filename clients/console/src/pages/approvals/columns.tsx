import { Link } from 'wouter';
import type { Approval } from '../../api/approvals.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { actionWords, countOf } from '../../text/action.ts';
import { reasonOf } from '../../text/firing.ts';
import { formatTime } from '../../text/format.ts';
import type { Decision } from './DecideDialog.tsx';

const waitingOf = ({ actions }: Approval) => actions.filter(({ state }) => state === 'awaitingApproval');

/** A short form without the account and the manner. */
function shortWords(approval: Approval): string {
  const waiting = waitingOf(approval);
  const lines = waiting.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  const accounts = new Set(waiting.map(({ accountName }) => accountName)).size;
  const does = waiting[0]?.kind === 'suspend' ? 'Suspends' : 'Changes the plan of';
  return `${does} ${countOf(lines, 'line')}${accounts > 1 ? ` of ${countOf(accounts, 'account')}` : ''}`;
}

/** The selection and the decisions for a row. */
export interface Saying {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (firingId: string) => void;
  readonly decide: (approval: Approval, decision: Decision) => void;
  readonly mayApprove: (approval: Approval) => boolean;
}

const choiceColumn = ({ chosen, toggle }: Saying): Column<Approval> => ({
  title: 'Select',
  width: '70px',
  wide: true,
  cell: ({ firingId, triggerName, firedAt }) => (
    <input
      type="checkbox"
      aria-label={`Select ${triggerName}, fired ${formatTime(firedAt)}`}
      checked={chosen.has(firingId)}
      onChange={() => toggle(firingId)}
    />
  ),
});

const decisionColumn = ({ decide, mayApprove }: Saying): Column<Approval> => ({
  title: 'Decide',
  width: '200px',
  cell: (approval) => (
    <div className="row" style={{ flexWrap: 'nowrap' }}>
      {mayApprove(approval) && (
        <Button
          style={{ height: 28 }}
          aria-label={`Approve ${approval.triggerName}`}
          onClick={() => decide(approval, 'approve')}
        >
          Approve
        </Button>
      )}
      <Button
        style={{ height: 28 }}
        aria-label={`Reject ${approval.triggerName}`}
        onClick={() => decide(approval, 'reject')}
      >
        Reject
      </Button>
    </div>
  ),
});

const triggerColumn = (accountName: string): Column<Approval> => ({
  title: 'Trigger',
  sortBy: ({ triggerName }) => triggerName,
  width: 'minmax(120px, 1.2fr)',
  cell: ({ triggerId, triggerName, isThere }) =>
    isThere ? (
      <Link href={`/accounts/${accountName}/triggers/price-plan/${triggerId}`}>{triggerName}</Link>
    ) : (
      <span>
        {triggerName} <Badge tone="warn">Deleted</Badge>
      </span>
    ),
});

/** `saying` is absent for viewers who may not decide. */
export const columnsOf = (
  accountName: string,
  open: (firingId: string) => void,
  saying: Saying | undefined,
): readonly Column<Approval>[] => [
  ...(saying === undefined ? [] : [choiceColumn(saying)]),
  triggerColumn(accountName),
  {
    title: 'Would do',
    sortBy: shortWords,
    width: 'minmax(170px, 1.2fr)',
    wide: true,
    cell: (approval) => (
      <span title={waitingOf(approval).map(actionWords).join('; ')}>{shortWords(approval)}</span>
    ),
  },
  {
    title: 'Why',
    sortBy: reasonOf,
    width: 'minmax(215px, 1.5fr)',
    wide: true,
    cell: (approval) => (
      <button type="button" className="row-link" onClick={() => open(approval.firingId)}>
        {reasonOf(approval)}
      </button>
    ),
  },
  {
    title: 'Expires',
    sortBy: ({ approvableTo }) => approvableTo,
    width: TIME_WIDTH,
    wide: true,
    cell: ({ approvableTo }) => formatTime(approvableTo),
  },
  ...(saying === undefined ? [] : [decisionColumn(saying)]),
];
