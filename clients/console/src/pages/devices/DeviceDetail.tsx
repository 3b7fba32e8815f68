import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type DeviceDetail as Device, readDevice } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { useWayBack } from '../../app/use-filter.ts';
import { LineActions } from '../../lines/LineActions.tsx';
import { RunStrip } from '../../lines/RunStrip.tsx';
import { Badge, StateBadge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatTime } from '../../text/format.ts';
import { AlertTable } from '../alerts/AlertTable.tsx';
import { ConsentCard } from './ConsentCard.tsx';
import { DeviceUsageCard } from './DeviceUsageCard.tsx';
import { HistoryCard } from './HistoryCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';
import { WatchedCard } from './WatchedCard.tsx';
import { WhereCard } from './WhereCard.tsx';

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

function Licenses({ licenses }: Pick<Device, 'licenses'>) {
  if (licenses.length === 0) return <Empty title="No licence assigned" />;
  return (
    <table className="plain-table" aria-label="Licences">
      <thead>
        <tr>
          <th>Licence</th>
          <th>Since</th>
        </tr>
      </thead>
      <tbody>
        {licenses.map(({ skuNumber, licenseType, assignedOn }) => (
          <tr key={skuNumber}>
            <td>
              {skuNumber}
              <div className="small soft">{licenseType}</div>
            </td>
            <td>{formatTime(assignedOn)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The line's state, with its end if it has one. */
function Condition({ device }: { readonly device: Device }) {
  const { state, online, servicePlan, planSince, suspensions } = device;
  const suspension = suspensions.find(({ resumedAt }) => resumedAt === null);
  return (
    <>
      <StateBadge state={state} />
      {state === 'suspend' && suspension && (
        <span className="small soft">until {formatTime(suspension.resumesAt)}</span>
      )}
      {state === 'active' && <Badge tone={online ? 'good' : 'warn'}>{online ? 'Online' : 'Offline'}</Badge>}
      {servicePlan !== null && <Badge tone="accent">{servicePlan}</Badge>}
      {planSince !== null && (
        <span className="small soft">
          on it since <TimeAgo at={planSince} />
        </span>
      )}
    </>
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
            <Condition device={data} />
            {data.kind !== 'sensor' && <LineActions lines={[data]} />}
          </>
        )}
      </PageHead>
      <RunStrip />
      {problem}
      <div className="grid">
        <DeviceUsageCard device={data} />
        <Card title="Identity" span={4}>
          <div style={{ minHeight: 260 }}>
            {data === undefined ? <Skeleton height={240} /> : <Facts device={data} />}
          </div>
        </Card>
        <WhereCard deviceId={deviceId} />
        <WatchedCard deviceId={deviceId} kind={data?.kind ?? 'device'} plan={data?.servicePlan ?? null} />
        <SessionsCard sessions={data?.sessions} />
        <ConsentCard consents={data?.consents} />
        <Card title="Licences" span={6}>
          <div style={{ minHeight: 160 }}>
            {data === undefined ? <Skeleton height={120} /> : <Licenses licenses={data.licenses} />}
          </div>
        </Card>
        <Card title="Alerts" flush>
          <AlertTable filter={{ deviceId }} height={220} />
        </Card>
        <HistoryCard deviceId={deviceId} />
      </div>
    </>
  );
}
