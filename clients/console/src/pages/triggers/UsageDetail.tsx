import { useState } from 'react';
import { Link } from 'wouter';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatDay } from '../../text/format.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { FiringsCard } from './FiringsCard.tsx';
import { usageSentenceOf } from './sentence.ts';
import { Terms } from './Terms.tsx';
import { UsageDialog } from './UsageDialog.tsx';
import { useUsageTriggers } from './UsageTable.tsx';
import { recipientWords } from './words.ts';
import './triggers.css';

export function UsageDetail({ triggerId }: { readonly triggerId: string }) {
  const accountName = useAccount();
  const session = useSession();
  const [open, setOpen] = useState<'edit' | 'delete' | undefined>();
  const list = useUsageTriggers(accountName);
  const trigger = list.data?.find((one) => one.triggerId === triggerId);
  const problem = <ReadProblem error={list.error} data={list.data} retry={() => void list.refetch()} />;
  if (list.isError && list.data === undefined) return problem;
  if (list.data !== undefined && trigger === undefined) return <Empty title="Trigger not found" />;
  const close = () => setOpen(undefined);
  return (
    <>
      <p className="small">
        <Link href={`/accounts/${accountName}/triggers/usage`}>← All triggers</Link>
      </p>
      <PageHead title={trigger?.triggerName ?? 'Trigger'}>
        {trigger && mayChange(session, 'fleet') && (
          <>
            <Button onClick={() => setOpen('edit')}>Edit</Button>
            <Button kind="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      {problem}
      <div className="grid">
        <Card title="Rule">
          <div className="stack" style={{ minHeight: 120 }}>
            {trigger === undefined ? (
              <Skeleton height={120} />
            ) : (
              <>
                <p className="trigger-sentence">{usageSentenceOf(trigger, accountName)}</p>
                <Terms
                  terms={[
                    ['Service', trigger.serviceName],
                    ['Fires at', `${trigger.thresholdValue} % of the subscription`],
                    ['Notifies', recipientWords(trigger)],
                    ['Created', formatDay(trigger.createDate)],
                    ['Changed', formatDay(trigger.updateDate)],
                  ]}
                />
              </>
            )}
          </div>
        </Card>
        <FiringsCard kind="usage" triggerId={triggerId} />
      </div>
      {open === 'edit' && <UsageDialog trigger={trigger} onClose={close} onSaved={close} />}
      {open === 'delete' && trigger && <DeleteDialog kind="usage" trigger={trigger} onClose={close} />}
    </>
  );
}
