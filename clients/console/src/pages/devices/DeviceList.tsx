import { useMemo } from 'react';
import { Link } from 'wouter';
import { type DeviceFilter, type FoundDevice, listDevices } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { useFilter, useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Badge, StateBadge, stateWord } from '../../parts/Badge.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatBytes } from '../../text/format.ts';

const STATES = ['active', 'suspend', 'pre-active', 'deactive'] as const;
const idOf = ({ ids }: FoundDevice, kind: string): string => ids.find((id) => id.kind === kind)?.id ?? '–';

const columnsOf = (accountName: string): readonly Column<FoundDevice>[] => [
  {
    title: 'Name',
    width: 'minmax(110px, 2fr)',
    cell: ({ deviceId, name, ids }) => (
      <Link className="row-link" href={`/accounts/${accountName}/devices/${deviceId}`}>
        {name ?? ids[0]?.id ?? deviceId}
      </Link>
    ),
  },
  { title: 'State', width: '124px', cell: ({ state }) => <StateBadge state={state} /> },
  {
    title: 'IMEI',
    width: '160px',
    wide: true,
    cell: (device) => <span className="mono">{idOf(device, 'imei')}</span>,
  },
  {
    title: 'ICCID',
    width: '200px',
    wide: true,
    cell: (device) => <span className="mono">{idOf(device, 'iccid')}</span>,
  },
  {
    title: 'Number',
    width: '120px',
    wide: true,
    cell: (device) => <span className="mono">{idOf(device, 'mdn')}</span>,
  },
  {
    title: 'Network',
    wide: true,
    width: '90px',
    cell: ({ online, state }) =>
      state === 'active' ? online ? 'Online' : <Badge tone="warn">Offline</Badge> : '–',
  },
  { title: 'Plan', width: 'minmax(130px, 1fr)', wide: true, cell: ({ servicePlan }) => servicePlan ?? '–' },
  { title: 'Used', width: '100px', align: 'right', cell: ({ usedBytes }) => formatBytes(usedBytes) },
];

export function DeviceList() {
  const accountName = useAccount();
  const search = useTypedFilter('search');
  const [named, setState] = useFilter('state');
  const state: DeviceFilter['state'] = STATES.find((one) => one === named);
  const filter = { search: search.settled || undefined, state };
  const devices = usePages(['devices', accountName, 'list', filter], (mark, signal) =>
    listDevices(accountName, filter, mark, signal),
  );
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
          value={search.typed}
          onChange={(event) => search.setTyped(event.target.value)}
        />
        <select
          className="input"
          style={{ width: 150 }}
          aria-label="State"
          value={state ?? ''}
          onChange={({ target }) => setState(target.value)}
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
        <PagedTable
          label="Devices"
          columns={columns}
          list={devices}
          rowsOf={(page) => page.devices}
          keyOf={({ deviceId }) => deviceId}
          height="fill"
          minWidth={1_080}
          empty={<Empty title="No device found" />}
        />
      </div>
    </>
  );
}
