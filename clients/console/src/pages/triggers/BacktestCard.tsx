import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { backtest, type Content, type PastFiring } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { reasonOf } from '../../text/firing.ts';
import { formatNumber, formatTime } from '../../text/format.ts';
import { pastActionWords } from './words.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const HEIGHT = 300;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The number that people know a line by. */
const nameOf = ({ deviceIds, subject, accountName }: PastFiring): string =>
  (deviceIds?.find(({ kind }) => kind.toLowerCase() === 'imei') ?? deviceIds?.[0])?.id ??
  (subject === '' ? accountName : subject);

const COLUMNS: readonly Column<PastFiring>[] = [
  { title: 'Would have fired', width: '180px', cell: ({ at }) => formatTime(at) },
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

/** Tries the rule as it is now on what was used. */
export function BacktestCard({ rule }: { readonly rule: Content | undefined }) {
  const accountName = useAccount();
  const now = useNow();
  const [from, setFrom] = useState(() => dayOf(now - (DAYS - 1) * DAY_MS));
  const [to, setTo] = useState(() => dayOf(now));
  const testing = useMutation({
    mutationFn: (content: Content) => backtest(accountName, content, { from, to }),
  });
  const found = testing.data;
  return (
    <Card
      title="Back-test"
      flush
      aside={
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (rule !== undefined) testing.mutate(rule);
          }}
        >
          <input
            className="input"
            style={{ width: 150 }}
            type="date"
            aria-label="First day"
            required
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <input
            className="input"
            style={{ width: 150 }}
            type="date"
            aria-label="Last day"
            required
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
          <Button type="submit" busy={testing.isPending} disabled={rule === undefined}>
            Try it
          </Button>
        </form>
      }
    >
      <div style={{ height: HEIGHT }} aria-live="polite">
        {testing.isError && <Problem error={testing.error} />}
        {testing.isIdle && (
          <Empty title="What would it have fired?">
            <p>Choose days and try the rule on what was used. Nothing is told or done.</p>
          </Empty>
        )}
        {(testing.isPending || found !== undefined) && !testing.isError && (
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
              </p>
            )}
          </>
        )}
      </div>
    </Card>
  );
}
