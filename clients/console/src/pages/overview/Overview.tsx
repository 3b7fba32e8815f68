import { useQuery } from '@tanstack/react-query';
import { readCallbacks } from '../../api/callbacks.ts';
import { readFiringOverview, readUsageOverview } from '../../api/overview.ts';
import { useAccount } from '../../app/account.tsx';
import { Figure } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { formatBytes, formatNumber, formatPercent, formatPeriod } from '../../text/format.ts';
import { AccountsCard } from './AccountsCard.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { FiringsCard } from './FiringsCard.tsx';
import { PlansCard } from './PlansCard.tsx';
import { UsageCard } from './UsageCard.tsx';

const DASH = '–';

export default function Overview() {
  const accountName = useAccount();
  const usage = useQuery({
    queryKey: ['usage', accountName, 'overview'],
    queryFn: ({ signal }) => readUsageOverview(accountName, signal),
  });
  const firings = useQuery({
    queryKey: ['firings', accountName, 'overview'],
    queryFn: ({ signal }) => readFiringOverview(accountName, signal),
  });
  const deliveries = useQuery({
    queryKey: ['callbacks', accountName, 'overview'],
    queryFn: ({ signal }) => readCallbacks(accountName, signal),
  });

  const { data } = usage;
  const devices = data?.states.reduce((sum, { devices: some }) => sum + some, 0);
  const active = data?.states.find(({ state }) => state === 'active')?.devices ?? 0;
  const fired = firings.data?.days.reduce((sum, day) => sum + day.firings, 0);
  const failing = deliveries.data?.listeners.filter(({ failingSince }) => failingSince !== null).length;
  const waiting = deliveries.data?.listeners.reduce((sum, listener) => sum + listener.waiting, 0) ?? 0;

  return (
    <>
      <PageHead title="Overview" note={data && `Billing month ${formatPeriod(data.cycle)}`} />
      <div className="grid">
        <Figure
          label="Used this month"
          value={data ? formatBytes(data.usedBytes) : DASH}
          note={
            data &&
            (data.allowanceBytes === null
              ? 'No plan has an allowance'
              : `${formatPercent(data.usedBytes, data.allowanceBytes)} of ${formatBytes(data.allowanceBytes)}`)
          }
        />
        <Figure
          label="Devices"
          value={devices === undefined ? DASH : formatNumber(devices)}
          note={data && `${formatNumber(active)} active`}
        />
        <Figure
          label="Firings, 60 days"
          value={fired === undefined ? DASH : formatNumber(fired)}
          note="of triggers of both kinds"
        />
        <Figure
          label="Listeners"
          value={deliveries.data ? formatNumber(deliveries.data.listeners.length) : DASH}
          note={
            failing === undefined
              ? undefined
              : failing > 0
                ? `${failing} failing, ${formatNumber(waiting)} waiting`
                : 'none failing'
          }
        />
        <UsageCard usage={usage} />
        <PlansCard usage={usage} />
        <FiringsCard firings={firings} />
        <DeliveryCard deliveries={deliveries} />
        <AccountsCard />
      </div>
    </>
  );
}
