import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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
import { saveAs } from '../../parts/save-as.ts';
import { sentenceOf } from '../../parts/states.tsx';
import { toCsv } from '../../text/csv.ts';
import { formatNumber } from '../../text/format.ts';
import { ColumnChooser, type useColumns } from './ColumnChooser.tsx';
import { csvOf } from './columns.tsx';
import type { Selection } from './use-selection.ts';

/** So many are acted on or written to a file at once. */
const ALL_MAX = 100_000;

interface Asked {
  readonly filter: DeviceFilter;
  readonly order: DeviceOrder;
}

/** Reads all that match, and says how many there are so far; `stop` ends it. */
function useReadAll<Result>(
  { filter, order }: Asked,
  use: (pages: AsyncIterable<readonly FoundDevice[]>) => Promise<Result>,
) {
  const accountName = useAccount();
  const [read, setRead] = useState(0);
  const controller = useRef(new AbortController());
  const reading = useMutation({
    mutationFn: async () => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      async function* counted() {
        let sum = 0;
        setRead(0);
        for await (const page of readAllDevices(accountName, { ...filter, order }, ALL_MAX, signal)) {
          sum += page.length;
          setRead(sum);
          yield page;
        }
      }
      await use(counted());
    },
  });
  const { isPending, mutate, error } = reading;
  const wasStopped = controller.current.signal.aborted;
  return {
    ...{ isPending, read },
    start: () => mutate(),
    stop: () => controller.current.abort(),
    error: wasStopped ? null : error,
  };
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

function Reading({
  what,
  read,
  stop,
}: {
  readonly what: string;
  readonly read: number;
  readonly stop: () => void;
}) {
  return (
    <>
      <span role="status">
        {what}: {formatNumber(read)} so far
      </span>
      <Button onClick={stop}>Stop</Button>
    </>
  );
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

/** How many match, and what can be done with them: of one height, whatever is selected. */
export function ListBar({
  filter,
  order,
  setOrder,
  selection,
  columns,
}: Asked & {
  readonly setOrder: (order: string) => void;
  readonly selection: Selection | undefined;
  readonly columns: ReturnType<typeof useColumns>;
}) {
  const accountName = useAccount();
  // Whatever is shown first: a line that changes meanwhile keeps its place only among those that were entered.
  const entered = { filter, order: 'oldest' } as const;
  const selecting = useReadAll(entered, async (pages) => selection?.setAll(await collect(pages)));
  const exporting = useReadAll({ filter, order }, (pages) => exportCsv(accountName, columns.keys, pages));
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
      {selecting.isPending ? (
        <Reading what="Selecting" read={selecting.read} stop={selecting.stop} />
      ) : (
        selection && <Button onClick={selecting.start}>Select all that match</Button>
      )}
      {exporting.isPending ? (
        <Reading what="Exporting" read={exporting.read} stop={exporting.stop} />
      ) : (
        <Button onClick={exporting.start}>Export CSV</Button>
      )}
      <Button onClick={() => setOrder(order === 'oldest' ? 'newest' : 'oldest')}>
        {order === 'oldest' ? 'Last entered first' : 'First entered first'}
      </Button>
      <ColumnChooser {...columns} />
    </div>
  );
}
