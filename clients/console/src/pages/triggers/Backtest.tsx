import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { backtest, type PastFiring, type PricePlanBody } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, DataTable, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { reasonOf } from '../../text/firing.ts';
import { formatNumber, formatTime } from '../../text/format.ts';
import { pastActionWords } from './words.ts';

type Rule = PricePlanBody['pricePlanTrigger'];
type Past = Awaited<ReturnType<typeof backtest>>;

const DAY_MS = 86_400_000;
const DAYS = 30;
const HEIGHT = 300;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The number that people know a line by. */
const nameOf = ({ deviceIds, subject, accountName }: PastFiring): string =>
  (deviceIds?.find(({ kind }) => kind.toLowerCase() === 'imei') ?? deviceIds?.[0])?.id ??
  (subject === '' ? accountName : subject);

const COLUMNS: readonly Column<PastFiring>[] = [
  { title: 'Would have fired', width: TIME_WIDTH, cell: ({ at }) => formatTime(at) },
  {
    title: 'For',
    width: 'minmax(180px, 1fr)',
    cell: (firing) => <span className="mono">{nameOf(firing)}</span>,
  },
  {
    title: 'Why',
    width: 'minmax(220px, 1.6fr)',
    cell: (firing) => reasonOf({ ...firing, kind: 'pricePlan' }),
  },
  { title: 'Would have done', width: 'minmax(200px, 1.4fr)', cell: pastActionWords },
];

interface BacktestProps {
  /** As it is now, whether it is saved or not. */
  readonly rule: Rule | undefined;
  /** Where days are chosen, and where what came of it is shown. */
  readonly frame: (controls: ReactNode, result: ReactNode) => ReactNode;
  /** Null when the rule was tried and not refused. */
  readonly onRefused?: (error: Error | null) => void;
}

function Found({ found, isOld }: { readonly found: Past | undefined; readonly isOld: boolean }) {
  return (
    <>
      <DataTable
        label="Back-test"
        columns={COLUMNS}
        rows={found?.firings}
        keyOf={({ subject, levelKind, level, at }) => `${subject} ${levelKind} ${level} ${at}`}
        height={HEIGHT - 32}
        minWidth={860}
        empty={<Empty title="It would not have fired" />}
      />
      {found !== undefined && (
        <p className="small soft" style={{ padding: '6px 16px' }}>
          {formatNumber(found.firings.length)} {found.firings.length === 1 ? 'firing' : 'firings'}
          {found.truncated && '; there are more'}
          {isOld && '. The rule has changed since: try it again.'}
        </p>
      )}
    </>
  );
}

/** Tries a rule on what was used. */
export function Backtest({ rule, frame, onRefused }: BacktestProps) {
  const accountName = useAccount();
  const now = useNow();
  const [from, setFrom] = useState(() => dayOf(now - (DAYS - 1) * DAY_MS));
  const [to, setTo] = useState(() => dayOf(now));
  const testing = useMutation({
    mutationFn: (tried: Rule) => backtest(accountName, tried, { from, to }),
    onSettled: (_, error) => onRefused?.(error),
  });
  const result = useRef<HTMLDivElement>(null);
  // In a long form it may be out of sight.
  useEffect(() => {
    if (testing.isSuccess) result.current?.scrollIntoView({ block: 'nearest' });
  }, [testing.isSuccess]);
  const isOld = JSON.stringify(testing.variables) !== JSON.stringify(rule);
  const days = [
    ['First day', from, setFrom],
    ['Last day', to, setTo],
  ] as const;
  return frame(
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (rule !== undefined) testing.mutate(rule);
      }}
    >
      {days.map(([label, value, set]) => (
        <input
          key={label}
          className="input"
          style={{ width: 150 }}
          type="date"
          aria-label={label}
          required
          value={value}
          onChange={(event) => set(event.target.value)}
        />
      ))}
      <Button type="submit" busy={testing.isPending} disabled={rule === undefined}>
        Try it
      </Button>
    </form>,
    <div ref={result} style={{ height: HEIGHT }} aria-live="polite">
      {testing.isError && <Problem error={testing.error} />}
      {testing.isIdle && (
        <Empty title="When would it have fired?">
          <p>
            Choose days and try the rule on what was used. No notification is sent and no action is taken.
          </p>
        </Empty>
      )}
      {(testing.isPending || testing.isSuccess) && <Found found={testing.data} isOld={isOld} />}
    </div>,
  );
}

/** Of the rule as it is saved. */
export const BacktestCard = ({ rule }: Pick<BacktestProps, 'rule'>) => (
  <Backtest
    rule={rule}
    frame={(controls, result) => (
      <Card title="Back-test" flush aside={controls}>
        {result}
      </Card>
    )}
  />
);
