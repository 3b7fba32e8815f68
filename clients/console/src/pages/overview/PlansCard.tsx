import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { UsageOverview } from '../../api/overview.ts';
import { useAccount } from '../../app/account.tsx';
import { Card } from '../../parts/Card.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { formatBytes, formatNumber } from '../../text/format.ts';

/** As high as the chart next to it, for any number of plans. */
export function PlansCard({ usage }: { readonly usage: UseQueryResult<UsageOverview> }) {
  const accountName = useAccount();
  const plans = usage.data?.plans;
  return (
    <Card title="Allowance by plan" span={4}>
      <div style={{ height: 220, overflowY: 'auto' }} className="stack">
        {usage.isPending && <Skeleton height={200} />}
        {plans?.length === 0 && <Empty title="No line is on a plan" />}
        {plans?.map(({ planCode, planName, lines, usedBytes, allowanceBytes }) => (
          <div key={planCode}>
            <div className="row" style={{ justifyContent: 'space-between', flexWrap: 'nowrap' }}>
              <span title={planCode}>{planName ?? (planCode === '' ? 'Unknown plan' : planCode)}</span>
              <Link
                className="small number nowrap"
                href={`/accounts/${accountName}/devices?state=active&plan=${encodeURIComponent(planCode)}`}
              >
                {formatNumber(lines)} {lines === 1 ? 'line' : 'lines'}
              </Link>
            </div>
            <Meter part={usedBytes} whole={allowanceBytes ?? 0} label={planName ?? planCode} />
            <p className="small soft number">
              {formatBytes(usedBytes)}
              {allowanceBytes === null ? ' used' : ` of ${formatBytes(allowanceBytes)}`}
            </p>
          </div>
        ))}
      </div>
    </Card>
  );
}
