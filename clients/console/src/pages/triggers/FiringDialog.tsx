import { useState } from 'react';
import type { TriggerAction, TriggerFiring } from '../../api/triggers.ts';
import { mayDecide, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { Empty } from '../../parts/states.tsx';
import { actionWords } from '../../text/action.ts';
import { crossedBy, formatCounted, levelWords, reasonOf } from '../../text/firing.ts';
import { formatNumber, formatTime } from '../../text/format.ts';
import { DecideDialog, type Decision } from '../approvals/DecideDialog.tsx';
import { ActionBadge } from './ActionBadge.tsx';
import { Terms } from './Terms.tsx';

function Reason({ firing }: { readonly firing: TriggerFiring }) {
  const { before, after, threshold, cycle } = firing;
  const counted = (value: number) => formatCounted(firing, value);
  return (
    <Terms
      terms={[
        ['Fired', formatTime(firing.firedAt)],
        ['Account', firing.accountName],
        ['Counted', <FiredFor key="for" firing={firing} />],
        ['Level', levelWords(firing)],
        ['Before', counted(before)],
        ['After', counted(after)],
        ['Threshold', counted(threshold)],
        ['Crossed by', crossedBy(firing)],
        ['Cycle', `${formatTime(cycle.from)} to ${formatTime(cycle.to)}`],
        ['Version of the rule', formatNumber(firing.ruleVersion)],
        ...(firing.late ? [['Late', 'The cycle had closed: notification only'] as const] : []),
      ]}
    />
  );
}

function Action({ action }: { readonly action: TriggerAction }) {
  const { state, succeeded, failed, reason, requestIds } = action;
  return (
    <li className="stack" style={{ gap: 4 }}>
      <div className="row">
        <ActionBadge state={state} />
        <span>{actionWords(action)}</span>
        {succeeded + failed > 0 && (
          <span className="soft small">
            {formatNumber(succeeded)} done, {formatNumber(failed)} failed
          </span>
        )}
      </div>
      {reason !== undefined && <p className="small">{reason}</p>}
      {requestIds.length > 0 && <p className="small soft mono">{requestIds.join(', ')}</p>}
    </li>
  );
}

export function FiringDialog({
  firing,
  onClose,
}: {
  readonly firing: TriggerFiring;
  readonly onClose: () => void;
}) {
  const session = useSession();
  const { actions } = firing;
  const [asked, setAsked] = useState<Decision | undefined>();
  const waits = actions.some(({ state }) => state === 'awaitingApproval');
  return (
    <Dialog title={reasonOf(firing)} wide onClose={onClose}>
      <div className="stack">
        <Reason firing={firing} />
        <section className="stack" style={{ gap: 8 }}>
          <h3>Actions</h3>
          {actions.length === 0 ? (
            <Empty title="Notification sent; no other action" />
          ) : (
            <ol className="stack" style={{ listStyle: 'none', gap: 10 }}>
              {actions.map((action) => (
                <Action
                  key={`${action.accountName} ${action.kind} ${JSON.stringify(action.params)}`}
                  action={action}
                />
              ))}
            </ol>
          )}
        </section>
        {waits && mayDecide(session) && (
          <div className="form-actions">
            <Button kind="danger" onClick={() => setAsked('reject')}>
              Reject
            </Button>
            <Button kind="main" onClick={() => setAsked('approve')}>
              Approve
            </Button>
          </div>
        )}
        {asked !== undefined && (
          <DecideDialog
            firings={[firing]}
            decision={asked}
            onDone={() => setAsked(undefined)}
            onClose={() => setAsked(undefined)}
          />
        )}
      </div>
    </Dialog>
  );
}
