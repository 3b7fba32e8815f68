import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAccount } from '../../app/account.tsx';
import { type Fleet, timeOf } from '../../map/fleet.ts';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber } from '../../text/format.ts';

interface Row {
  readonly deviceId: string;
  readonly name: string;
  readonly at: string;
  readonly radius: number;
}

const columnsOf = (accountName: string): readonly Column<Row>[] => [
  {
    title: 'Device',
    sortBy: ({ name }) => name,
    width: 'minmax(100px, 1fr)',
    cell: ({ deviceId, name }) => (
      <Link className="row-link" href={`/accounts/${accountName}/devices/${deviceId}`}>
        {name}
      </Link>
    ),
  },
  { title: 'Located', sortBy: ({ at }) => at, width: '116px', cell: ({ at }) => <TimeAgo at={at} /> },
  {
    title: 'Within',
    sortBy: ({ radius }) => radius,
    width: '84px',
    align: 'right',
    cell: ({ radius }) => `${formatNumber(radius)} m`,
  },
];

/** The points of the map as a list, newest first, which also serves screen readers. */
export function InView({
  fleet,
  listed,
}: {
  readonly fleet: Fleet | undefined;
  readonly listed: readonly number[];
}) {
  const accountName = useAccount();
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  const rows = useMemo(
    () =>
      fleet &&
      listed
        .toSorted((a, b) => fleet.times[b]! - fleet.times[a]!)
        .map((nth) => ({
          deviceId: fleet.ids[nth]!,
          name: fleet.names[nth]!,
          at: timeOf(fleet, nth),
          radius: fleet.radii[nth]!,
        })),
    [fleet, listed],
  );
  return (
    <div className="card">
      <DataTable
        label="Devices in view"
        columns={columns}
        rows={rows}
        keyOf={({ deviceId }) => deviceId}
        height="fill"
        empty={<Empty title="No device here" />}
      />
    </div>
  );
}
