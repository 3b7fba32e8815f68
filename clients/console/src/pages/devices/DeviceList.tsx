import { type CSSProperties, useMemo } from 'react';
import { type DeviceOrder, listDevices } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { useFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { RunStrip } from '../../lines/RunStrip.tsx';
import { useKeptNames } from '../../parts/ColumnChooser.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { columnsOf, USUAL } from './columns.tsx';
import { useDeviceFilters } from './DeviceFilters.tsx';
import { ListBar } from './ListBar.tsx';
import { useSelection } from './use-selection.ts';

/** Height of the bar above the table. */
const ABOVE = { '--above': '49px' } as CSSProperties;

const ORDERS: readonly DeviceOrder[] = ['newest', 'name', '-name', 'state', '-state', 'plan', '-plan'];
/** The order in the address; the default is the order of creation. */
const toOrder = (named: string): DeviceOrder => ORDERS.find((order) => order === named) ?? 'oldest';

export function DeviceList() {
  const accountName = useAccount();
  const session = useSession();
  const { filter, fields } = useDeviceFilters();
  const [named, setNamed] = useFilter('order');
  const order = toOrder(named);
  const list = usePages(['devices', accountName, 'list', filter, order], (page: string | undefined, signal) =>
    listDevices(accountName, { ...filter, order, page }, signal),
  );
  const { pages } = list;
  const rows = useMemo(() => (pages ?? []).flatMap(({ devices }) => devices), [pages]);
  const chosen = useSelection(rows);
  const selection = mayChange(session, 'fleet') ? chosen : undefined;
  const columns = useKeptNames('linekeeper.device-columns', USUAL);
  const setOrder = (next: string) => setNamed(next === 'oldest' ? '' : next);
  return (
    <>
      <PageHead title="Devices">{fields}</PageHead>
      <RunStrip />
      <div className="card" style={ABOVE}>
        <ListBar {...{ filter, order, setOrder, selection, columns }} />
        <PagedTable
          label="Devices"
          columns={columnsOf({ accountName, keys: columns.keys, selection, rows })}
          list={list}
          sorting={{ order, setOrder }}
          rowsOf={(page) => page.devices}
          keyOf={({ deviceId }) => deviceId}
          height="fill"
          minWidth={1_000}
          isSelected={({ deviceId }) => chosen.selected.has(deviceId)}
          empty={<Empty title="No device found" />}
        />
      </div>
    </>
  );
}
