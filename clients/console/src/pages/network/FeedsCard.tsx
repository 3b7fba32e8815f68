import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Feed, setPaused } from '../../api/network.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Badge, type Tone } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber, formatSpan, formatTime } from '../../text/format.ts';
import { useNetwork } from './use-network.ts';

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  up: { tone: 'good', word: 'Up' },
  failing: { tone: 'bad', word: 'Failing' },
  down: { tone: 'bad', word: 'Down' },
  paused: { tone: 'warn', word: 'Paused' },
};
const wordOf = (state: string): string => STATES[state]?.word ?? state;

const number = (title: string, width: string, of: (feed: Feed) => number): Column<Feed> => ({
  title,
  wide: true,
  width,
  align: 'right',
  sortBy: of,
  cell: (feed) => formatNumber(Math.round(of(feed))),
});

const FACTS: readonly Column<Feed>[] = [
  {
    title: 'Feed',
    width: 'minmax(100px, 1fr)',
    sortBy: ({ name }) => name,
    cell: ({ name, kind }) => <span title={`${name} (${kind})`}>{name}</span>,
  },
  {
    title: 'State',
    width: '115px',
    sortBy: ({ state }) => wordOf(state),
    cell: ({ state, problem }) => (
      <span title={problem ?? undefined}>
        <Badge tone={STATES[state]?.tone ?? 'none'}>{wordOf(state)}</Badge>
      </span>
    ),
  },
  number('Records/s', '110px', ({ ratePerSecond }) => ratePerSecond),
  number('Waiting', '90px', ({ backlog }) => backlog),
  {
    title: 'Oldest record',
    wide: true,
    width: '130px',
    align: 'right',
    sortBy: ({ lagSeconds }) => lagSeconds,
    cell: ({ backlog, lagSeconds }) => (backlog === 0 ? '–' : formatSpan(lagSeconds * 1_000)),
  },
  number('Accepted', '100px', ({ accepted }) => accepted),
  number('Rejected', '95px', ({ rejected }) => rejected),
  {
    title: 'Last error',
    wide: true,
    width: 'minmax(120px, 2fr)',
    sortBy: ({ lastError }) => lastError,
    cell: ({ lastError, lastErrorAt }) => (
      <span title={lastErrorAt === null ? undefined : `${lastError}, ${formatTime(lastErrorAt)}`}>
        {lastError ?? '–'}
      </span>
    ),
  },
];

/** What networks send on their own: files and RADIUS accounting. */
export function FeedsCard() {
  const isAdmin = mayAs(useSession(), 'admin');
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const feeds = useNetwork(({ feeds }) => feeds);
  const { mutate } = useMutation({
    mutationFn: ({ name, paused }: { readonly name: string; readonly paused: boolean }) =>
      setPaused(name, paused),
    onSuccess: (_, { name, paused }) => say(paused ? `${name} paused` : `${name} resumed`),
    onError: complain,
    onSettled: () => queries.invalidateQueries({ queryKey: ['network'] }),
  });
  const switching: Column<Feed> = {
    title: '',
    width: '95px',
    align: 'right',
    cell: ({ name, state }) => {
      const label = state === 'paused' ? 'Resume' : 'Pause';
      return (
        <Button
          kind="plain"
          aria-label={`${label} ${name}`}
          onClick={() => mutate({ name, paused: state !== 'paused' })}
        >
          {label}
        </Button>
      );
    },
  };
  return (
    <Card title="Feeds from the network" flush>
      <ReadProblem error={feeds.error} data={feeds.data} retry={() => void feeds.refetch()} />
      {(feeds.data !== undefined || !feeds.isError) && (
        <ToolTable
          label="Feeds from the network"
          file="network-feeds"
          columns={isAdmin ? [...FACTS, switching] : FACTS}
          rows={feeds.data}
          keyOf={({ name }) => name}
          height={180}
          minWidth={950}
          empty={
            <Empty title="No feeds from the network">
              <p>The setting LINEKEEPER_NETWORK names a file with folders and a RADIUS listener.</p>
            </Empty>
          }
        />
      )}
    </Card>
  );
}
