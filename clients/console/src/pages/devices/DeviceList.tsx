import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type DeviceFilter, type FoundDevice, listDevices } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { useTyped } from '../../app/use-typed.ts';
import { Badge, StateBadge, stateWord } from '../../parts/Badge.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { formatBytes } from '../../text/format.ts';

const STATES = ['active', 'suspend', 'pre-active', 'deactive'] as const;
const idOf = ({ ids }: FoundDevice, kind: string): string => ids.find((id) => id.kind === kind)?.id ?? '–';

const columnsOf = (accountName: string): readonly Column<FoundDevice>[] => [
  {
    title: 'Name',
    width: 'minmax(150px, 2fr)',
    cell: ({ deviceId, name, ids }) => (
      <Link className="row-link" href={`/accounts/${accountName}/devices/${deviceId}`}>
        {name ?? ids[0]?.id ?? deviceId}
      </Link>
    ),
  },
  { title: 'State', width: '124px', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'IMEI', width: '160px', cell: (device) => <span className="mono">{idOf(device, 'imei')}</span> },
  { title: 'ICCID', width: '200px', cell: (device) => <span className="mono">{idOf(device, 'iccid')}</span> },
  { title: 'Number', width: '120px', cell: (device) => <span className="mono">{idOf(device, 'mdn')}</span> },
  {
    title: 'Network',
    width: '90px',
    cell: ({ online, state }) =>
      state === 'active' ? online ? 'Online' : <Badge tone="warn">Offline</Badge> : '–',
  },
  { title: 'Plan', width: 'minmax(130px, 1fr)', cell: ({ servicePlan }) => servicePlan ?? '–' },
  { title: 'Used', width: '100px', align: 'right', cell: ({ usedBytes }) => formatBytes(usedBytes) },
];

export function DeviceList() {
  const accountName = useAccount();
  const [search, setSearch] = useState('');
  const [state, setState] = useState<DeviceFilter['state']>();
  const filter = { search: useTyped(search.trim()) || undefined, state };
  const devices = useInfiniteQuery({
    queryKey: ['devices', accountName, 'list', filter],
    queryFn: ({ pageParam, signal }) => listDevices(accountName, filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  return (
    <>
      <PageHead title="Devices">
        <input
          className="input"
          style={{ width: 300 }}
          type="search"
          aria-label="Search devices"
          placeholder="Any identifier, or a name"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <select
          className="input"
          style={{ width: 150 }}
          aria-label="State"
          value={state ?? ''}
          onChange={({ target }) => setState(STATES.find((one) => one === target.value))}
        >
          <option value="">Every state</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {stateWord(one)}
            </option>
          ))}
        </select>
      </PageHead>
      <div className="card">
        {devices.isError ? (
          <Problem error={devices.error} retry={() => void devices.refetch()} />
        ) : (
          <DataTable
            label="Devices"
            columns={columns}
            rows={devices.data?.pages.flatMap((page) => page.devices)}
            keyOf={({ deviceId }) => deviceId}
            height="fill"
            minWidth={1_080}
            empty={<Empty title="No device found" />}
            onEnd={
              devices.hasNextPage && !devices.isFetchingNextPage
                ? () => void devices.fetchNextPage()
                : undefined
            }
          />
        )}
      </div>
    </>
  );
}
