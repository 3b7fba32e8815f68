import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ScenarioEvent, type ScenarioRun, stopScenario } from '../../api/scenarios.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatCount } from '../../text/format.ts';

const STATES = {
  running: ['accent', 'Running'],
  passed: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  stopped: ['warn', 'Stopped'],
  broken: ['bad', 'Could not be completed'],
} as const satisfies Record<ScenarioRun['state'], readonly [string, string]>;

function Event({ event: { said, what, ok, expected, came } }: { readonly event: ScenarioEvent }) {
  if (said !== undefined) return <li className="run-said">{said}</li>;
  return (
    <li className="run-check">
      <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'Yes' : 'No'}</Badge>
      <div>
        {what}
        {expected !== undefined && (
          <dl className="facts small">
            <dt>Expected</dt>
            <dd className="mono">{expected}</dd>
            <dt>Actual</dt>
            <dd className="mono">{came}</dd>
          </dl>
        )}
      </div>
    </li>
  );
}

function sumOf({ state, step, steps, checks, failedChecks, error }: ScenarioRun): string {
  if (state === 'running') return step === 0 ? 'Recreating its accounts.' : `Step ${step} of ${steps}`;
  if (state === 'broken') return error ?? 'Unknown reason.';
  const came =
    failedChecks === 0
      ? `${formatCount(checks, 'check', 'checks')} passed.`
      : `${failedChecks} of ${formatCount(checks, 'check', 'checks')} failed.`;
  return state === 'stopped' ? `At step ${step} of ${steps}. ${came}` : came;
}

function StopButton({ runId }: Pick<ScenarioRun, 'runId'>) {
  const queries = useQueryClient();
  const { complain } = useToasts();
  const stopping = useMutation({
    mutationFn: () => stopScenario(runId),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['scenarios'] }),
    onError: complain,
  });
  return (
    <Button busy={stopping.isPending} onClick={() => stopping.mutate()}>
      Stop
    </Button>
  );
}

function Commands({ lookAt }: Pick<ScenarioRun, 'lookAt'>) {
  if (lookAt.length === 0) return null;
  return (
    <>
      <h3 className="small">What you can inspect now</h3>
      <ul className="run-commands">
        {lookAt.map((command) => (
          <li key={command} className="row">
            <code className="small">{command}</code>
            <CopyButton label={`Copy ${command}`} text={command} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Run({ run }: { readonly run: ScenarioRun }) {
  const mayStop = mayAs(useSession(), 'admin');
  const { runId, name, summary, state, events, checks, lookAt } = run;
  const [tone, word] = STATES[state];
  const more = checks - events.filter(({ ok }) => ok !== undefined).length;
  return (
    <div className="stack">
      <div className="row">
        <strong>{name}</strong>
        <Badge tone={tone}>{word}</Badge>
        {state === 'running' && mayStop && <StopButton runId={runId} />}
      </div>
      <p className="soft small">{summary}</p>
      <p role="status">{sumOf(run)}</p>
      {state === 'running' && (
        <progress aria-label="Steps" max={Math.max(1, run.steps)} value={Math.max(0, run.step - 1)} />
      )}
      <ol className="run-events" aria-label="What happened">
        {events.map((event, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only appended
          <Event key={nth} event={event} />
        ))}
      </ol>
      {more > 0 && (
        <p className="small soft">And {formatCount(more, 'check', 'checks').toLowerCase()} more.</p>
      )}
      <Commands lookAt={lookAt} />
    </div>
  );
}

/** The running scenario, or the last one. */
export function RunCard({
  runs,
  isLost,
}: {
  readonly runs: UseQueryResult<readonly ScenarioRun[]>;
  readonly isLost: boolean;
}) {
  const [run] = runs.data ?? [];
  return (
    <Card title="Current run" span={6}>
      <div style={{ minHeight: 220 }}>
        <ReadProblem error={runs.error} data={runs.data} retry={() => void runs.refetch()} />
        {runs.isPending && <Skeleton height={200} />}
        {isLost && (
          <p className="problem" role="alert">
            A restart of the sandbox ended the run. Play the scenario again.
          </p>
        )}
        {runs.data !== undefined && run === undefined && !isLost && (
          <Empty title="No scenario played yet">
            <p>Play a scenario to see its steps and checks here.</p>
          </Empty>
        )}
        {run !== undefined && <Run run={run} />}
      </div>
    </Card>
  );
}
