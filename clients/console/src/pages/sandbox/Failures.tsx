import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CountedRule, type FaultRule, listFaults, setFaults } from '../../api/sandbox.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { FailureDialog } from './FailureDialog.tsx';
import { sayRule } from './rule-words.ts';

const READ_MS = 3_000;

/** A rule without its counts. */
const ruleOf = ({ matched: _matched, used: _used, ...rule }: CountedRule): FaultRule => rule;

/** Injected failures, which show how a client handles errors. */
export function Failures() {
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const mayChange = mayAs(useSession(), 'clock');
  const [adding, setAdding] = useState(false);
  const faults = useQuery({
    queryKey: ['faults'],
    queryFn: ({ signal }) => listFaults(signal),
    refetchInterval: READ_MS,
  });
  const setting = useMutation({
    mutationFn: setFaults,
    onSuccess: (rules) => {
      queries.setQueryData(['faults'], rules);
      say(rules.length === 0 ? 'No failures are injected any more' : 'The rules are active');
      setAdding(false);
    },
  });
  const rules = faults.data?.map(ruleOf) ?? [];
  const change = (next: readonly FaultRule[]) => setting.mutate(next, { onError: complain });
  return (
    <Card
      title="Injected failures"
      flush
      aside={
        mayChange && (
          <div className="row">
            {rules.length > 0 && (
              <Button onClick={() => change([])} busy={setting.isPending}>
                Remove all
              </Button>
            )}
            <Button kind="main" disabled={faults.data === undefined} onClick={() => setAdding(true)}>
              New rule
            </Button>
          </div>
        )
      }
    >
      <div style={{ minHeight: 260 }}>
        <ReadProblem error={faults.error} data={faults.data} retry={() => void faults.refetch()} />
        {faults.isPending && <Skeleton height={240} />}
        {faults.data?.length === 0 && (
          <Empty title="No failures are injected">
            <p>
              Make calls answer 503, wait, or lose their connection, and see how your client reacts. The first
              rule that matches a call applies.
            </p>
          </Empty>
        )}
        {faults.data !== undefined && faults.data.length > 0 && (
          <table className="plain-table" aria-label="Rules">
            <thead>
              <tr>
                <th>Rule</th>
                <th className="right">Used</th>
                <th className="wide-cell right">Matching calls</th>
                <th className="right">
                  <span className="hidden-text">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {faults.data.map((counted, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity besides their position
                <tr key={place}>
                  <td>{sayRule(counted)}</td>
                  <td className="right number">{formatNumber(counted.used)}</td>
                  <td className="wide-cell right number">{formatNumber(counted.matched)}</td>
                  <td className="right">
                    {mayChange && (
                      <Button
                        kind="plain"
                        aria-label={`Remove rule ${place + 1}`}
                        disabled={setting.isPending}
                        onClick={() => change(rules.filter((_, at) => at !== place))}
                      >
                        Remove
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {rules.length > 0 && (
          <p className="small soft" style={{ padding: 12 }}>
            Changing the rules resets all counts.
          </p>
        )}
      </div>
      {adding && (
        <FailureDialog
          busy={setting.isPending}
          error={setting.error}
          onAdd={(rule) => setting.mutate([...rules, rule])}
          onClose={() => {
            setting.reset();
            setAdding(false);
          }}
        />
      )}
    </Card>
  );
}
