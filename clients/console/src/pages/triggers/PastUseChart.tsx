import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PastFiring, type PastUse, readPastUse, type Trial } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { Chart } from '../../parts/Chart.tsx';
import type { ChartLevel } from '../../parts/chart-levels.ts';
import { BYTES } from '../../parts/chart-options.ts';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { Empty, Problem, Skeleton } from '../../parts/states.tsx';
import { formatBytes } from '../../text/format.ts';
import { marksOf } from './past-marks.ts';

const HEIGHT = 220;
/** Height with heading and legend, so that the layout stays still when the chart arrives. */
export const CHART_PX = HEIGHT + 72;

const COUNTED: Readonly<Record<PastUse['cycle'], string>> = {
  Daily: 'Counted in the day',
  Weekly: 'Counted in the week',
  Monthly: 'Counted in the billing month',
};

function labelOf({ levelKind, level, thresholdBytes, below }: PastUse['levels'][number]): string {
  const bytes = formatBytes(thresholdBytes);
  if (below) return `Fires below ${bytes}`;
  if (levelKind === 'percent') return `${level} %: ${bytes}`;
  return levelKind === 'suspendBytes' ? `Suspends above ${bytes}` : `Threshold ${bytes}`;
}

const levelOf = (level: PastUse['levels'][number]): ChartLevel => ({
  label: labelOf(level),
  value: level.thresholdBytes,
  color: level.levelKind === 'suspendBytes' ? 'bad' : 'warn',
});

function Use({ use, firings }: { readonly use: PastUse; readonly firings: readonly PastFiring[] }) {
  const { times, series, levels } = useMemo(() => {
    const { days, cycle } = use;
    const marks = marksOf(use, firings);
    const line = { label: COUNTED[cycle], values: days.map((day) => day.countedBytes) };
    return {
      times: days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
      series: [
        {
          label: 'Used on the day',
          values: days.map(({ bytes }) => bytes),
          color: 'chart-1' as const,
          kind: 'bars' as const,
        },
        ...(cycle === 'Daily' ? [] : [{ ...line, color: 'chart-3' as const, kind: 'line' as const }]),
        ...(marks.some((mark) => mark !== null)
          ? [{ label: 'Would have fired', values: marks, color: 'bad' as const, kind: 'points' as const }]
          : []),
      ],
      levels: use.levels.map(levelOf),
    };
  }, [use, firings]);
  return (
    <>
      <p className="small">
        <FiredFor firing={use} />
        <span className="soft">
          {firings.length === 0 ? ', the closest to firing' : ''}: usage by day
          {use.planCode === undefined ? '' : ` on ${use.planCode}`}, days of the account’s time zone
        </span>
      </p>
      <Chart
        caption="Usage by day, with the value that the rule compares"
        times={times}
        series={series}
        levels={levels}
        height={HEIGHT}
        unit={BYTES}
      />
    </>
  );
}

/** The usage of one subject of the rule, with the threshold and the days on which the rule would have fired. */
export function PastUseChart({
  trial,
  firings,
  of,
}: {
  readonly trial: Trial;
  readonly firings: readonly PastFiring[];
  /** Absent: the subject closest to firing. */
  readonly of: PastFiring | undefined;
}) {
  const accountName = useAccount();
  const asked = of && { subject: of.subject, accountName: of.accountName };
  const isOfUse = of?.levelKind !== 'billCycles';
  const use = useQuery({
    queryKey: ['past-use', accountName, trial, asked],
    queryFn: ({ signal }) => readPastUse(accountName, trial, asked, signal),
    enabled: isOfUse,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="past-use stack" style={{ minHeight: CHART_PX }}>
      {isOfUse && use.isPending && <Skeleton height={HEIGHT} />}
      {use.isError && <Problem error={use.error} retry={() => void use.refetch()} />}
      {(!isOfUse || use.data === null) && (
        <Empty title={isOfUse ? 'No usage on these days' : 'This rule counts time, not usage'} />
      )}
      {use.data != null && <Use use={use.data} firings={firings} />}
    </div>
  );
}
