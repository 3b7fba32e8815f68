import { useMemo, useState } from 'react';
import type { backtest, PastFiring, Trial } from '../../api/triggers.ts';
import { type Column, DataTable, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { Empty } from '../../parts/states.tsx';
import { countOf } from '../../text/action.ts';
import { firedFor, reasonOf } from '../../text/firing.ts';
import { formatTime } from '../../text/format.ts';
import { PastUseChart } from './PastUseChart.tsx';
import { pastActionWords } from './words.ts';

const TABLE_PX = 252;

const keyOf = ({ subject, accountName, levelKind, level, at }: PastFiring): string =>
  `${subject} ${accountName} ${levelKind} ${level} ${at}`;

const whyOf = (firing: PastFiring): string => reasonOf({ ...firing, kind: 'pricePlan' });

const columnsOf = (show: (key: string) => void): readonly Column<PastFiring>[] => [
  {
    title: 'Would have fired',
    sortBy: ({ at }) => at,
    width: TIME_WIDTH,
    cell: (firing) => (
      <button
        type="button"
        className="row-link"
        title="Show it in the chart"
        onClick={() => show(keyOf(firing))}
      >
        {formatTime(firing.at)}
      </button>
    ),
  },
  {
    title: 'For',
    sortBy: firedFor,
    width: 'minmax(120px, 1fr)',
    cell: (firing) => <FiredFor firing={firing} />,
  },
  {
    title: 'Why',
    sortBy: whyOf,
    width: 'minmax(200px, 1.4fr)',
    wide: true,
    cell: whyOf,
  },
  {
    title: 'Would have done',
    sortBy: pastActionWords,
    width: 'minmax(200px, 1.4fr)',
    wide: true,
    cell: pastActionWords,
  },
];

/** The result of a back-test; the chart of past usage shows the selected firings. */
export function BacktestResult({
  trial,
  found,
  isOld,
}: {
  readonly trial: Trial;
  /** Undefined while loading. */
  readonly found: Awaited<ReturnType<typeof backtest>> | undefined;
  readonly isOld: boolean;
}) {
  const [shownKey, show] = useState<string>();
  const columns = useMemo(() => columnsOf(show), []);
  const firings = found?.firings;
  const shown = firings?.find((firing) => keyOf(firing) === shownKey) ?? firings?.[0];
  return (
    <>
      {firings !== undefined && <PastUseChart trial={trial} firings={firings} of={shown} />}
      <DataTable
        label="Back-test"
        columns={columns}
        rows={firings}
        keyOf={keyOf}
        height={TABLE_PX}
        minWidth={740}
        empty={<Empty title="It would not have fired" />}
        isSelected={(firing) => firing === shown}
      />
      <p className="small soft" style={{ padding: '6px 16px' }} aria-live="polite">
        {found !== undefined && countOf(found.firings.length, 'firing')}
        {found?.truncated && '; there are more'}
        {found !== undefined && isOld && '. The rule has changed since: run it again.'}
      </p>
    </>
  );
}
