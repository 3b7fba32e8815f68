import { useQuery } from '@tanstack/react-query';
import {
  countDevices,
  type DeviceFilter,
  type DeviceOrder,
  type FoundDevice,
  readAllDevices,
} from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { LineActions } from '../../lines/LineActions.tsx';
import { Button } from '../../parts/Button.tsx';
import { ColumnChooser, type useKeptNames } from '../../parts/ColumnChooser.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { sentenceOf } from '../../parts/states.tsx';
import { ALL_MAX, ReadAllButton, useReadAll } from '../../parts/use-read-all.tsx';
import { toCsv } from '../../text/csv.ts';
import { formatNumber } from '../../text/format.ts';
import { CHOICES, csvOf } from './columns.tsx';
import type { Selection } from './use-selection.ts';

interface Asked {
  readonly filter: DeviceFilter;
  readonly order: DeviceOrder;
}

/** Reads all matching devices. */
function useReadMatching(
  { filter, order }: Asked,
  use: (pages: AsyncIterable<readonly FoundDevice[]>) => Promise<void>,
) {
  const accountName = useAccount();
  return useReadAll<FoundDevice>(
    (signal) => readAllDevices(accountName, { ...filter, order }, ALL_MAX, signal),
    use,
  );
}

function Count({ filter }: Pick<Asked, 'filter'>) {
  const accountName = useAccount();
  const counted = useQuery({
    queryKey: ['count', accountName, filter],
    queryFn: ({ signal }) => countDevices(accountName, filter, signal),
    staleTime: 10_000,
  });
  const { data } = counted;
  if (data === undefined) return null;
  const { count, exact } = data;
  const number = formatNumber(count);
  if (exact) return count === 1 ? '1 device matches' : `${number} devices match`;
  return count < ALL_MAX ? `${number} of the first 100,000 devices match` : 'more than 100,000 devices match';
}

async function exportCsv(
  accountName: string,
  keys: ReadonlySet<string>,
  pages: AsyncIterable<readonly FoundDevice[]>,
): Promise<void> {
  const { head, row } = csvOf(keys);
  const texts = [toCsv([head])];
  for await (const page of pages) texts.push(toCsv(page.map(row)));
  saveAs(`devices-${accountName}.csv`, ...texts);
}

async function collect(pages: AsyncIterable<readonly FoundDevice[]>): Promise<readonly FoundDevice[]> {
  const all: FoundDevice[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** The number of matches and the actions, with the same height for every selection. */
export function ListBar({
  filter,
  order,
  setOrder,
  selection,
  columns,
}: Asked & {
  readonly setOrder: (order: string) => void;
  readonly selection: Selection | undefined;
  readonly columns: ReturnType<typeof useKeptNames>;
}) {
  const accountName = useAccount();
  // Reads in order of creation, whatever the visible order, because only there a line that changes keeps its
  // place.
  const entered = { filter, order: 'oldest' } as const;
  const selecting = useReadMatching(entered, async (pages) => selection?.setAll(await collect(pages)));
  const exporting = useReadMatching({ filter, order }, (pages) =>
    exportCsv(accountName, columns.keys, pages),
  );
  const lines = [...(selection?.selected.values() ?? [])];
  const error = selecting.error ?? exporting.error;
  return (
    <div className="selection-bar">
      <span className="count" role="status">
        {lines.length > 0 ? `${formatNumber(lines.length)} selected` : <Count filter={filter} />}
        {error !== null && <span className="problem"> {sentenceOf(error)}</span>}
      </span>
      {lines.length > 0 && <LineActions lines={lines} />}
      {lines.length > 0 && selection && <Button onClick={selection.clear}>Clear</Button>}
      {selection && <ReadAllButton reading={selecting} label="Select all matches" during="Selecting" />}
      <ReadAllButton reading={exporting} label="Export CSV" during="Exporting" />
      <Button onClick={() => setOrder(order === 'oldest' ? 'newest' : 'oldest')}>
        {order === 'oldest' ? 'Newest first' : 'Oldest first'}
      </Button>
      <ColumnChooser choices={CHOICES} isShown={(key) => columns.keys.has(key)} toggle={columns.toggle} />
    </div>
  );
}
