import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listServicePlans } from '../../api/lines.ts';
import { listRules } from '../../api/records.ts';
import { listPricePlanTriggers, type PricePlanTrigger, readTriggerOptions } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty, Problem, Skeleton } from '../../parts/states.tsx';
import { draftOf } from '../triggers/form/read-draft.ts';
import { actionWords, conditionWords } from '../triggers/words.ts';

/** Most triggers shown; the page of triggers lists all. */
const PAGES_MAX = 5;

/** The triggers that count the usage of lines on this plan. */
async function listWatching(
  accountName: string,
  plan: string,
  signal: AbortSignal,
): Promise<readonly PricePlanTrigger[]> {
  const plans = await listServicePlans(accountName, signal);
  const { groups } = await readTriggerOptions(accountName, signal);
  const code = plans.find((one) => one.code === plan)?.carrierServicePlanCode ?? plan;
  const found: PricePlanTrigger[] = [];
  let page: string | undefined;
  for (let n = 0; n === 0 || (page !== undefined && n < PAGES_MAX); n++) {
    const { triggers, next } = await listPricePlanTriggers(accountName, page, signal);
    found.push(...triggers);
    page = next;
  }
  return found.filter((trigger) => {
    const { kind, plan: watched, accounts, groupId } = draftOf(trigger);
    return kind === 'payAsYouGo'
      ? watched === code && accounts.includes(accountName)
      : groups.some(({ id, planCodes }) => String(id) === String(groupId) && planCodes.includes(code));
  });
}

function Triggers({ plan }: { readonly plan: string | null }) {
  const accountName = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: ['triggers', accountName, 'watching', plan],
    queryFn: ({ signal }) => (plan === null ? [] : listWatching(accountName, plan, signal)),
  });
  if (data === undefined)
    return error === null ? <Skeleton height={60} /> : <Problem error={error} retry={() => void refetch()} />;
  if (data.length === 0) return <Empty title="No trigger watches its plan" />;
  return data.map((trigger) => (
    <p key={trigger.triggerId}>
      <Link href={`/accounts/${accountName}/triggers/price-plan/${trigger.triggerId}`}>
        {trigger.triggerName}
      </Link>{' '}
      {!trigger.active && <Badge>Off</Badge>}
      <span className="small soft" style={{ display: 'block' }}>
        {conditionWords(draftOf(trigger))}. {actionWords(draftOf(trigger))}.
      </span>
    </p>
  ));
}

function Rules({ deviceId }: { readonly deviceId: string }) {
  const accountName = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: ['records', accountName, deviceId, 'rules'],
    queryFn: ({ signal }) => listRules(accountName, deviceId, undefined, signal),
  });
  if (data === undefined)
    return error === null ? <Skeleton height={60} /> : <Problem error={error} retry={() => void refetch()} />;
  if (data.rules.length === 0) return <Empty title="No rule watches its readings" />;
  return data.rules.map(({ id, name, description, disabled }) => (
    <p key={id}>
      {name || 'Unnamed rule'} {disabled && <Badge>Off</Badge>}
      <span className="small soft" style={{ display: 'block' }}>
        {description}
      </span>
    </p>
  ));
}

/** The triggers on the device's usage and the rules on its readings. */
export function WatchedCard({
  deviceId,
  kind,
  plan,
}: {
  readonly deviceId: string;
  readonly kind: string;
  readonly plan: string | null;
}) {
  const accountName = useAccount();
  return (
    <Card
      title="Watched by"
      span={6}
      aside={<Link href={`/accounts/${accountName}/records/${kind}/${deviceId}`}>Record and rules</Link>}
    >
      <div className="stack" style={{ minHeight: 160 }}>
        <h3 className="small">Triggers</h3>
        <Triggers plan={plan} />
        <h3 className="small">Rules</h3>
        <Rules deviceId={deviceId} />
      </div>
    </Card>
  );
}
