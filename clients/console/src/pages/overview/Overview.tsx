import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { readCallbacks } from '../../api/callbacks.ts';
import { readFiringOverview, readUsageOverview } from '../../api/overview.ts';
import { useAccount } from '../../app/account.tsx';
import { PeriodPicker, usePeriod } from '../../app/period.tsx';
import { Figure } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { formatBytes, formatNumber, formatPercent, formatPeriod } from '../../text/format.ts';
import { healthOf } from '../../text/listener-health.ts';
import { AccountsCard } from './AccountsCard.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { FiringsCard } from './FiringsCard.tsx';
import { PlansCard } from './PlansCard.tsx';
import { UsageCard } from './UsageCard.tsx';

const DASH = '–';
const sumOf = <T,>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

export default function Overview() {
  const accountName = useAccount();
  const [days, setDays] = usePeriod();
  const usage = useQuery({
    queryKey: ['usage', accountName, 'overview', days],
    queryFn: ({ signal }) => readUsageOverview(accountName, days, signal),
    placeholderData: keepPreviousData,
  });
  const firings = useQuery({
    queryKey: ['firings', accountName, 'overview', days],
    queryFn: ({ signal }) => readFiringOverview(accountName, days, signal),
    placeholderData: keepPreviousData,
  });
  const deliveries = useQuery({
    queryKey: ['callbacks', accountName, 'overview'],
    queryFn: ({ signal }) => readCallbacks(accountName, signal),
  });

  const { data } = usage;
  const devices = data && sumOf(data.states, ({ devices: some }) => some);
  const active = data?.states.find(({ state }) => state === 'active')?.devices ?? 0;
  const fired = firings.data && sumOf(firings.data.days, (day) => day.firings);
  const firedBefore = firings.data && sumOf(firings.data.before, (day) => day.firings);
  const listeners = deliveries.data?.listeners;
  const failing = listeners?.filter((one) => healthOf(one) === 'failing').length ?? 0;
  const waiting = sumOf(listeners ?? [], (one) => one.waiting);
  const at = (page: string) => `/accounts/${accountName}/${page}`;

  return (
    <>
      <PageHead title="Overview" note={data && `Billing month ${formatPeriod(data.cycle)}`}>
        <PeriodPicker days={days} onPick={setDays} />
      </PageHead>
      <div className="grid">
        <Figure
          label="Used this month"
          value={data ? formatBytes(data.usedBytes) : DASH}
          href={at('billing')}
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
          href={at('devices')}
          note={data && <Link href={at('devices?state=active')}>{formatNumber(active)} active</Link>}
        />
        <Figure
          label={`Firings, ${days} days`}
          value={fired === undefined ? DASH : formatNumber(fired)}
          href={at(`triggers/firings?days=${days}`)}
          note={firedBefore !== undefined && `${formatNumber(firedBefore)} in the ${days} days before`}
        />
        <Figure
          label="Listeners"
          value={listeners ? formatNumber(listeners.length) : DASH}
          href={at('callbacks')}
          note={
            listeners && (
              <>
                {failing > 0 ? `${formatNumber(failing)} failing` : 'none failing'}
                {waiting > 0 && (
                  <>
                    , <Link href={at('callbacks?state=pending')}>{formatNumber(waiting)} waiting</Link>
                  </>
                )}
              </>
            )
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
