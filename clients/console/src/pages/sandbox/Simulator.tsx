import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type NetworkCondition,
  readNetwork,
  readSimulator,
  type SimulatorState,
  setNetwork,
  setSimulator,
} from '../../api/sandbox.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { useToasts } from '../../parts/toasts.tsx';

const SPEEDS = [1, 10, 60, 600, 3_600];
const READ_MS = 5_000;

function Life({ state, onRead }: { readonly state: SimulatorState; readonly onRead: () => void }) {
  const { complain } = useToasts();
  const mayMove = mayAs(useSession(), 'clock');
  const setting = useMutation({ mutationFn: setSimulator, onSuccess: onRead, onError: complain });
  const { running, speed, seed, lastTick, lastError } = state;
  const speeds = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
  return (
    <>
      <div className="row">
        {running ? <Badge tone="good">Running</Badge> : <Badge tone="warn">Stopped</Badge>}
        <Button
          kind={running ? 'plain' : 'main'}
          disabled={!mayMove}
          busy={setting.isPending}
          onClick={() => setting.mutate({ running: !running })}
        >
          {running ? 'Stop' : 'Start'}
        </Button>
      </div>
      <SelectField
        label="Speed"
        hint="Above 1, sandbox time runs faster than real time."
        disabled={!mayMove || setting.isPending}
        value={String(speed)}
        onChange={(event) => setting.mutate({ speed: Number(event.target.value) })}
        options={speeds.map((one) => ({ value: String(one), label: one === 1 ? 'Real time' : `${one} ×` }))}
      />
      <dl className="facts">
        <dt>Simulated until</dt>
        <dd>{lastTick === undefined ? '–' : <TimeAgo at={lastTick} />}</dd>
        <dt>Seed</dt>
        <dd className="mono">{seed}</dd>
      </dl>
      {lastError !== undefined && <p className="problem">{lastError}</p>}
    </>
  );
}

function LifeCard() {
  const queries = useQueryClient();
  const simulator = useQuery({
    queryKey: ['simulator'],
    queryFn: ({ signal }) => readSimulator(signal),
    refetchInterval: READ_MS,
  });
  return (
    <Card title="Simulated devices" span={6}>
      <div className="stack" style={{ minHeight: 220 }}>
        <p className="soft small">
          While the simulator runs, the demo devices use data, move and report readings.
        </p>
        <ReadProblem error={simulator.error} data={simulator.data} retry={() => void simulator.refetch()} />
        {simulator.isPending && <Skeleton height={160} />}
        {simulator.data && (
          <Life
            state={simulator.data}
            onRead={() => void queries.invalidateQueries({ queryKey: ['simulator'] })}
          />
        )}
      </div>
    </Card>
  );
}

const CONDITIONS: Readonly<Record<NetworkCondition, string>> = {
  normal: 'Answers',
  refusing: 'Refuses every request',
  unreachable: 'Cannot be reached',
};

function NetworkCard() {
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const mayFeed = mayAs(useSession(), 'feed');
  const network = useQuery({ queryKey: ['network'], queryFn: ({ signal }) => readNetwork(signal) });
  const setting = useMutation({
    mutationFn: setNetwork,
    onSuccess: ({ condition }) => {
      say(`Simulated network: ${CONDITIONS[condition].toLowerCase()}`);
      return queries.invalidateQueries({ queryKey: ['network'] });
    },
    onError: complain,
  });
  return (
    <Card title="Simulated network" span={6}>
      <div className="stack" style={{ minHeight: 220, alignContent: 'start' }}>
        <p className="soft small">How the network answers all location requests.</p>
        <ReadProblem error={network.error} data={network.data} retry={() => void network.refetch()} />
        {network.isPending && <Skeleton height={60} />}
        {network.data && (
          <SelectField
            label="Network"
            disabled={!mayFeed || setting.isPending}
            value={network.data.condition}
            onChange={(event) => setting.mutate(event.target.value as NetworkCondition)}
            options={Object.entries(CONDITIONS).map(([value, label]) => ({ value, label }))}
          />
        )}
      </div>
    </Card>
  );
}

export const Simulator = () => (
  <div className="grid">
    <LifeCard />
    <NetworkCard />
  </div>
);
