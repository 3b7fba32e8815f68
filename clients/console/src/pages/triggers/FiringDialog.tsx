import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { decideFiring, type TriggerAction, type TriggerFiring } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { Empty } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { reasonOf } from '../../text/firing.ts';
import { formatBytes, formatNumber, formatTime } from '../../text/format.ts';
import { ActionBadge } from './ActionBadge.tsx';
import { Terms } from './Terms.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function crossedBy({ usageRecordId, cause }: TriggerFiring): string {
  if (usageRecordId !== null) return `record ${usageRecordId}`;
  return cause === 'planChange' ? 'usage that a change of plan has moved' : 'the end of the cycle';
}

function Reason({ firing }: { readonly firing: TriggerFiring }) {
  const accountName = useAccount();
  const { kind, levelKind, subject, before, after, threshold, cycle } = firing;
  const counted = (value: number) =>
    kind === 'usage' || levelKind === 'billCycles' ? formatNumber(value) : formatBytes(value);
  const device = UUID.test(subject) && (
    <Link href={`/accounts/${accountName}/devices/${subject}`}>the device {subject}</Link>
  );
  return (
    <Terms
      terms={[
        ['Fired', formatTime(firing.firedAt)],
        ['Account', firing.accountName],
        ['Counted', device || subject],
        ['Counter', `${counted(before)} before, ${counted(after)} after`],
        ['Threshold', counted(threshold)],
        ['Crossed by', crossedBy(firing)],
        ['Cycle', `${formatTime(cycle.from)} to ${formatTime(cycle.to)}`],
        ['Version of the rule', formatNumber(firing.ruleVersion)],
        ...(firing.late ? [['Late', 'The cycle had closed: notification only'] as const] : []),
      ]}
    />
  );
}

const actionWords = ({ kind, deviceCount }: TriggerAction): string =>
  `${kind === 'suspend' ? 'Suspends' : 'Changes the plan of'} ${formatNumber(deviceCount)} ${deviceCount === 1 ? 'line' : 'lines'}`;

function Action({ action }: { readonly action: TriggerAction }) {
  const { state, succeeded, failed, reason, requestIds } = action;
  return (
    <li className="stack" style={{ gap: 4 }}>
      <div className="row">
        <ActionBadge state={state} />
        <span>
          {actionWords(action)} of <span className="mono">{action.accountName}</span>
        </span>
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
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say } = useToasts();
  const { firingId, actions } = firing;
  const [asked, setAsked] = useState<'approve' | 'reject' | undefined>();
  const deciding = useMutation({
    mutationFn: (word: 'approve' | 'reject') => decideFiring(accountName, firingId, word),
    onSuccess: (_, word) => {
      say(word === 'approve' ? 'It is approved' : 'It is rejected');
      setAsked(undefined);
      return queries.invalidateQueries({ queryKey: ['firings'] });
    },
  });
  const close = () => {
    deciding.reset();
    setAsked(undefined);
  };
  const waits = actions.some(({ state }) => state === 'awaitingApproval');
  return (
    <Dialog title={reasonOf(firing)} wide onClose={onClose}>
      <div className="stack">
        <Reason firing={firing} />
        <section className="stack" style={{ gap: 8 }}>
          <h3>What it did</h3>
          {actions.length === 0 ? (
            <Empty title="Notification sent; no other action" />
          ) : (
            <ol className="stack" style={{ listStyle: 'none', gap: 10 }}>
              {actions.map((action) => (
                <Action key={`${action.accountName} ${action.kind}`} action={action} />
              ))}
            </ol>
          )}
        </section>
        {waits && mayChange(session, 'admin') && (
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
          <ConfirmDialog
            title={asked === 'approve' ? 'Approve what it does?' : 'Reject what it does?'}
            action={asked === 'approve' ? 'Approve' : 'Reject'}
            kind={asked === 'approve' ? 'main' : 'danger'}
            busy={deciding.isPending}
            error={deciding.error}
            onConfirm={() => deciding.mutate(asked)}
            onClose={close}
          >
            {actions
              .filter(({ state }) => state === 'awaitingApproval')
              .map((action) => (
                <p key={`${action.accountName} ${action.kind}`}>
                  {asked === 'reject' && 'Not done: '}
                  {actionWords(action)} of <span className="mono">{action.accountName}</span>
                </p>
              ))}
          </ConfirmDialog>
        )}
      </div>
    </Dialog>
  );
}
