import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { playScenario } from '../../api/scenarios.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { RecordDialog } from './RecordDialog.tsx';
import { RunCard } from './RunCard.tsx';
import { ScenarioDialog } from './ScenarioDialog.tsx';
import { useRuns } from './use-runs.ts';

const files = import.meta.glob<string>('../../../../simulator/scenarios/*.yaml', {
  eager: true,
  query: '?raw',
  import: 'default',
});

const lineOf = (text: string, name: string): string =>
  new RegExp(`^${name}: '?(.*?)'?$`, 'm').exec(text)?.[1] ?? '';
const SCENARIOS = Object.values(files).map((text) => ({
  name: lineOf(text, 'name'),
  summary: lineOf(text, 'summary'),
  text,
}));
type Shipped = (typeof SCENARIOS)[number];

/** Starts a scenario and shows it from its first step. */
function usePlay() {
  const queries = useQueryClient();
  const { complain } = useToasts();
  return useMutation({
    mutationFn: playScenario,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['scenarios'] }),
    onError: complain,
  });
}

function Row({
  scenario: { name, summary, text },
  isBusy,
}: {
  readonly scenario: Shipped;
  /** A scenario is running. */
  readonly isBusy: boolean;
}) {
  const mayPlay = mayAs(useSession(), 'admin');
  const playing = usePlay();
  return (
    <tr>
      <td>
        <strong className="nowrap">{name}</strong>
      </td>
      <td className="wide-cell">{summary}</td>
      <td className="right">
        {mayPlay && (
          <Button
            kind="main"
            aria-label={`Play ${name}`}
            disabled={isBusy}
            busy={playing.isPending}
            onClick={() => playing.mutate({ name: `${name}.yaml`, text })}
          >
            Play
          </Button>
        )}
      </td>
    </tr>
  );
}

function Aside({ isBusy, onAsk }: { readonly isBusy: boolean; readonly onAsk: (what: Asked) => void }) {
  const session = useSession();
  return (
    <div className="row">
      {mayAs(session, 'fleet') && <Button onClick={() => onAsk('record')}>Record a scenario</Button>}
      {mayAs(session, 'admin') && (
        <Button disabled={isBusy} onClick={() => onAsk('own')}>
          Play your own
        </Button>
      )}
    </div>
  );
}

type Asked = 'own' | 'record';

/** Scenarios that run in their own accounts, and the results of their checks. */
export function Scenarios() {
  const { runs, isLost } = useRuns();
  const [asked, setAsked] = useState<Asked | undefined>();
  const close = () => setAsked(undefined);
  const isBusy = runs.data?.[0]?.state === 'running';
  return (
    <div className="grid">
      <Card title="Scenarios" span={6} flush aside={<Aside isBusy={isBusy} onAsk={setAsked} />}>
        <p className="soft small" style={{ padding: '12px 16px 0' }}>
          Each scenario deletes and recreates its own account, moves the clock and checks the results. The
          account stays for you to inspect. From a shell: <code>linekeeper scenario NAME</code>.
        </p>
        <table className="plain-table" aria-label="Built-in scenarios">
          <thead>
            <tr>
              <th>Scenario</th>
              <th className="wide-cell">What happens</th>
              <th className="right">
                <span className="hidden-text">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {SCENARIOS.map((scenario) => (
              <Row key={scenario.name} scenario={scenario} isBusy={isBusy} />
            ))}
          </tbody>
        </table>
      </Card>
      <RunCard runs={runs} isLost={isLost} />
      {asked === 'own' && <ScenarioDialog onClose={close} />}
      {asked === 'record' && <RecordDialog onClose={close} />}
    </div>
  );
}
