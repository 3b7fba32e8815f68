import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { changePricePlanTrigger, type PricePlanTrigger, readPricePlanTrigger } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatTime } from '../../text/format.ts';
import { BacktestCard } from './Backtest.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { FiringsCard } from './FiringsCard.tsx';
import { PricePlanDialog } from './form/PricePlanDialog.tsx';
import { draftOf } from './form/read-draft.ts';
import { accountWords, sentenceOf } from './sentence.ts';
import { Terms } from './Terms.tsx';
import { useTriggerOptions } from './use-options.ts';
import { conditionWords } from './words.ts';
import './triggers.css';

function Rule({ trigger }: { readonly trigger: PricePlanTrigger }) {
  const draft = draftOf(trigger);
  const names = useTriggerOptions();
  return (
    <>
      <p className="trigger-sentence">{sentenceOf(draft, names)}</p>
      <Terms
        terms={[
          ...(draft.kind === 'payAsYouGo'
            ? [['Accounts', draft.accounts.map((one) => accountWords(one, names)).join(', ')] as const]
            : []),
          ['Fires when', conditionWords(draft)],
          ['Severity', draft.severity],
          ['Changed', formatTime(trigger.modifiedAt)],
        ]}
      />
    </>
  );
}

function Actions({ trigger }: { readonly trigger: PricePlanTrigger }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [open, setOpen] = useState<'edit' | 'delete' | undefined>();
  const { triggerId, active } = trigger;
  const switching = useMutation({
    mutationFn: () => changePricePlanTrigger(accountName, triggerId, { active: !active }),
    onSuccess: () => {
      say(active ? 'Trigger switched off' : 'Trigger activated');
      return queries.invalidateQueries({ queryKey: ['triggers'] });
    },
    onError: complain,
  });
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => switching.mutate()} busy={switching.isPending}>
        {active ? 'Switch off' : 'Activate'}
      </Button>
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <Button kind="danger" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'edit' && <PricePlanDialog trigger={trigger} onClose={close} onSaved={close} />}
      {open === 'delete' && <DeleteDialog kind="price-plan" trigger={trigger} onClose={close} />}
    </>
  );
}

export function PricePlanDetail({ triggerId }: { readonly triggerId: string }) {
  const accountName = useAccount();
  const session = useSession();
  const trigger = useQuery({
    queryKey: ['triggers', accountName, 'price-plan', triggerId],
    queryFn: ({ signal }) => readPricePlanTrigger(accountName, triggerId, signal),
  });
  const { data } = trigger;
  const problem = (
    <ReadProblem error={trigger.error} data={trigger.data} retry={() => void trigger.refetch()} />
  );
  if (trigger.isError && trigger.data === undefined) return problem;
  return (
    <>
      <p className="small">
        <Link href={`/accounts/${accountName}/triggers`}>← All triggers</Link>
      </p>
      <PageHead title={data?.triggerName ?? 'Trigger'}>
        {data && <Badge tone={data.active ? 'good' : 'none'}>{data.active ? 'Active' : 'Off'}</Badge>}
        {data && mayChange(session, 'fleet') && <Actions trigger={data} />}
      </PageHead>
      {problem}
      <div className="grid">
        <Card title="Rule">
          <div className="stack" style={{ minHeight: 150 }}>
            {data === undefined ? <Skeleton height={150} /> : <Rule trigger={data} />}
          </div>
        </Card>
        <FiringsCard kind="price-plan" triggerId={triggerId} />
        <BacktestCard rule={data?.pricePlanTrigger} />
      </div>
    </>
  );
}
