import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { backtest, type Trial } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { BacktestResult } from './BacktestResult.tsx';
import './triggers.css';

const DAY_MS = 86_400_000;
const DAYS = 30;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface BacktestProps {
  /** The current rule, saved or not. */
  readonly rule: Trial['rule'] | undefined;
  /** Renders the choice of days and the result. */
  readonly frame: (controls: ReactNode, result: ReactNode) => ReactNode;
  /** Null when the service accepted the rule. */
  readonly onRefused?: (error: Error | null) => void;
}

/** Tries a rule on past usage. */
export function Backtest({ rule, frame, onRefused }: BacktestProps) {
  const accountName = useAccount();
  const now = useNow();
  const [from, setFrom] = useState(() => dayOf(now - (DAYS - 1) * DAY_MS));
  const [to, setTo] = useState(() => dayOf(now));
  const testing = useMutation({
    mutationFn: (trial: Trial) => backtest(accountName, trial),
    onSettled: (_, error) => onRefused?.(error),
  });
  const result = useRef<HTMLDivElement>(null);
  // The result may be out of view in a long form.
  useEffect(() => {
    if (testing.isSuccess) result.current?.scrollIntoView({ block: 'nearest' });
  }, [testing.isSuccess]);
  const { variables: trial } = testing;
  const isOld = JSON.stringify(trial?.rule) !== JSON.stringify(rule);
  const days = [
    ['First day', from, setFrom],
    ['Last day', to, setTo],
  ] as const;
  return frame(
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (rule !== undefined) testing.mutate({ rule, period: { from, to } });
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
        Run back-test
      </Button>
    </form>,
    <div ref={result} className="trigger-tried">
      {testing.isError && <Problem error={testing.error} />}
      {testing.isIdle && (
        <Empty title="When would this trigger have fired?">
          <p>Choose days to run the rule on past usage. It sends no notification and takes no action.</p>
        </Empty>
      )}
      {(testing.isPending || testing.isSuccess) && trial !== undefined && (
        <BacktestResult key={testing.submittedAt} trial={trial} found={testing.data} isOld={isOld} />
      )}
    </div>,
  );
}

/** The back-test of the saved rule. */
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
