import { Link } from 'wouter';
import type { FoundDevice } from '../../api/devices.ts';
import { Badge, StateBadge, stateWord } from '../../parts/Badge.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { formatBytes, formatDay } from '../../text/format.ts';
import type { Selection } from './use-selection.ts';

const idOf = ({ ids }: FoundDevice, kind: string): string => ids.find((id) => id.kind === kind)?.id ?? '';
const networkOf = ({ state, online }: FoundDevice): string =>
  state === 'active' ? (online ? 'Online' : 'Offline') : '';
const labelsOf = ({ labels }: FoundDevice): string =>
  labels.map(({ name, value }) => `${name}: ${value}`).join(', ');

interface DeviceColumn extends Omit<Column<FoundDevice>, 'cell'> {
  readonly key: string;
  /** The exact value for files. */
  readonly text: (device: FoundDevice) => string;
  readonly cell?: (device: FoundDevice) => React.ReactNode;
  /** Shown by default; other columns only when chosen. */
  readonly isUsual: boolean;
}

const identifier = (key: string, title: string, width: string, isUsual: boolean): DeviceColumn => ({
  ...{ key, title, width, isUsual },
  wide: true,
  text: (device) => idOf(device, key),
  cell: (device) => <span className="mono">{idOf(device, key) || '–'}</span>,
});

const CHOSEN: readonly DeviceColumn[] = [
  {
    ...{ key: 'state', title: 'State', order: 'state', width: '114px', isUsual: true },
    text: ({ state }) => stateWord(state),
    cell: ({ state }) => <StateBadge state={state} />,
  },
  identifier('imei', 'IMEI', '144px', true),
  identifier('iccid', 'ICCID', '182px', false),
  identifier('mdn', 'Number', '104px', true),
  identifier('eid', 'EID', '310px', false),
  {
    ...{ key: 'network', title: 'Network', width: '86px', wide: true, isUsual: true },
    text: networkOf,
    cell: (device) =>
      networkOf(device) === 'Offline' ? <Badge tone="warn">Offline</Badge> : networkOf(device) || '–',
  },
  {
    ...{ key: 'plan', title: 'Plan', order: 'plan', width: 'minmax(128px, 1fr)', wide: true, isUsual: true },
    text: ({ servicePlan }) => servicePlan ?? '',
  },
  {
    ...{ key: 'model', title: 'Model', width: 'minmax(120px, 1fr)', wide: true, isUsual: false },
    text: ({ model }) => model ?? '',
  },
  {
    ...{ key: 'labels', title: 'Labels', width: 'minmax(140px, 1fr)', wide: true, isUsual: false },
    text: labelsOf,
    cell: (device) => <span title={labelsOf(device)}>{labelsOf(device) || '–'}</span>,
  },
  {
    ...{ key: 'used', title: 'Used', width: '86px', align: 'right', isUsual: true },
    text: ({ usedBytes }) => String(usedBytes),
    cell: ({ usedBytes }) => formatBytes(usedBytes),
  },
  {
    ...{ key: 'added', title: 'Created', width: '120px', wide: true, isUsual: true },
    text: ({ addedAt }) => addedAt,
    cell: ({ addedAt }) => <span title={addedAt}>{formatDay(addedAt)}</span>,
  },
];

export const CHOICES = CHOSEN.map(({ key, title }) => ({ key, title }));
export const USUAL = CHOSEN.filter(({ isUsual }) => isUsual).map(({ key }) => key);

const NAME: DeviceColumn = {
  ...{ key: 'name', title: 'Name', order: 'name', width: 'minmax(104px, 2fr)', isUsual: true },
  text: ({ name }) => name ?? '',
};

const shownOf = (keys: ReadonlySet<string>): readonly DeviceColumn[] => [
  NAME,
  ...CHOSEN.filter(({ key }) => keys.has(key)),
];

/** The header of the exported file and the row of a device. */
export const csvOf = (keys: ReadonlySet<string>) => {
  const columns = shownOf(keys);
  return {
    head: ['deviceId', ...columns.map(({ key }) => key)],
    row: (device: FoundDevice) => [device.deviceId, ...columns.map(({ text }) => text(device))],
  };
};

interface Shown {
  readonly accountName: string;
  readonly keys: ReadonlySet<string>;
  /** Undefined for viewers who may not act on a selection. */
  readonly selection: Selection | undefined;
  readonly rows: readonly FoundDevice[];
}

function selectColumn(
  { selected, setAll, clear, onClick, onKeyDown }: Selection,
  rows: readonly FoundDevice[],
) {
  const isAll = rows.length > 0 && rows.every(({ deviceId }) => selected.has(deviceId));
  return {
    title: 'Select',
    width: '36px',
    head: (
      <label className="select-box">
        <input
          type="checkbox"
          aria-label="Select all in the list"
          checked={isAll}
          onChange={() => (isAll ? clear() : setAll(rows))}
        />
      </label>
    ),
    cell: ({ deviceId, name, ids }: FoundDevice, index: number) => (
      <label className="select-box">
        <input
          type="checkbox"
          data-select-row={index}
          aria-label={`Select ${name ?? ids[0]?.id ?? deviceId}`}
          checked={selected.has(deviceId)}
          onClick={(event) => onClick(event, index)}
          onKeyDown={(event) => onKeyDown(event, index)}
          onChange={() => {}}
        />
      </label>
    ),
  } satisfies Column<FoundDevice>;
}

export function columnsOf({ accountName, keys, selection, rows }: Shown): readonly Column<FoundDevice>[] {
  const shown = shownOf(keys).map(({ key, text, cell, ...column }): Column<FoundDevice> => {
    if (key === 'name')
      return {
        ...column,
        cell: ({ deviceId, name, ids }) => (
          <Link className="row-link" href={`/accounts/${accountName}/devices/${deviceId}`}>
            {name ?? ids[0]?.id ?? deviceId}
          </Link>
        ),
      };
    return { ...column, cell: cell ?? ((device: FoundDevice) => text(device) || '–') };
  });
  return selection === undefined ? shown : [selectColumn(selection, rows), ...shown];
}
