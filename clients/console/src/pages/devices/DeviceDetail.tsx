import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type DeviceDetail as Device, readDevice } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { useWayBack } from '../../app/use-filter.ts';
import { Badge, StateBadge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatTime } from '../../text/format.ts';
import { ConsentCard } from './ConsentCard.tsx';
import { DeviceUsageCard } from './DeviceUsageCard.tsx';
import { historyOf } from './history.ts';

function Facts({ device }: { readonly device: Device }) {
  const { ids, kind, manufacturer, model, software, description, labels } = device;
  const rows: readonly [string, string | null][] = [
    ...ids.map((id): [string, string] => [id.kind.toUpperCase(), id.id]),
    ['Kind', kind],
    ['Model', [manufacturer, model].filter(Boolean).join(' ') || null],
    ['Software', software],
    ['Description', description],
    ...labels.map(({ name, value }): [string, string] => [name, value]),
  ];
  return (
    <dl className="facts">
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={`${name} ${value}`} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd className={/^[\d:A-F-]{8,}$/.test(value) ? 'mono' : undefined}>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function History({ device }: { readonly device: Device }) {
  const events = historyOf(device);
  if (events.length === 0) return <Empty title="No events yet" />;
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th>When</th>
            <th>What</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ at, what, why }) => (
            <tr key={`${at} ${what} ${why}`}>
              <td>{formatTime(at)}</td>
              <td>
                {what}
                {why !== '' && <div className="small soft">{why}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function DeviceDetail({ deviceId }: { readonly deviceId: string }) {
  const accountName = useAccount();
  const device = useQuery({
    queryKey: ['devices', accountName, deviceId],
    queryFn: ({ signal }) => readDevice(accountName, deviceId, signal),
  });
  const { data } = device;
  const list = useWayBack(`/accounts/${accountName}/devices`);
  const problem = <ReadProblem error={device.error} data={device.data} retry={() => void device.refetch()} />;
  if (device.isError && device.data === undefined) return problem;
  return (
    <>
      <p className="small">
        <Link href={list}>← All devices</Link>
      </p>
      <PageHead title={data?.name ?? data?.ids[0]?.id ?? 'Device'}>
        {data && (
          <>
            <StateBadge state={data.state} />
            {data.state === 'active' && (
              <Badge tone={data.online ? 'good' : 'warn'}>{data.online ? 'Online' : 'Offline'}</Badge>
            )}
            {data.servicePlan !== null && <Badge tone="accent">{data.servicePlan}</Badge>}
            {data.planSince !== null && (
              <span className="small soft">
                on it since <TimeAgo at={data.planSince} />
              </span>
            )}
          </>
        )}
      </PageHead>
      {problem}
      <div className="grid">
        <DeviceUsageCard days={data?.days} />
        <Card title="Identity" span={4}>
          <div style={{ minHeight: 260 }}>
            {data === undefined ? <Skeleton height={240} /> : <Facts device={data} />}
          </div>
        </Card>
        <ConsentCard consents={data?.consents} />
        <Card title="History" span={6}>
          <div style={{ minHeight: 160, maxHeight: 420, overflowY: 'auto' }}>
            {data === undefined ? <Skeleton height={120} /> : <History device={data} />}
          </div>
        </Card>
      </div>
    </>
  );
}
