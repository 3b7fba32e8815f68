import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Element, setPaused } from '../../api/network.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Badge, type Tone } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber, formatSpan, formatTime } from '../../text/format.ts';
import { useNetwork } from './use-network.ts';

/** Highest count that the service reports. */
const COUNTED_MAX = 100_000;

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  up: { tone: 'good', word: 'Answering' },
  silent: { tone: 'bad', word: 'Silent' },
  paused: { tone: 'warn', word: 'Paused' },
};
const wordOf = (state: string): string => STATES[state]?.word ?? state;

const many = (number: number): string =>
  number >= COUNTED_MAX ? `${formatNumber(COUNTED_MAX)} or more` : formatNumber(number);

const FACTS: readonly Column<Element>[] = [
  {
    title: 'Element',
    width: 'minmax(100px, 1fr)',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span title={name}>{name}</span>,
  },
  { title: 'Kind', wide: true, width: '100px', sortBy: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    title: 'State',
    width: '115px',
    sortBy: ({ state }) => wordOf(state),
    cell: ({ state }) => <Badge tone={STATES[state]?.tone ?? 'none'}>{wordOf(state)}</Badge>,
  },
  {
    title: 'Orders waiting',
    wide: true,
    width: '130px',
    align: 'right',
    sortBy: ({ backlog }) => backlog,
    cell: ({ backlog }) => many(backlog),
  },
  {
    title: 'Oldest order',
    wide: true,
    width: '115px',
    align: 'right',
    sortBy: ({ lagSeconds }) => lagSeconds,
    cell: ({ backlog, lagSeconds }) => (backlog === 0 ? '–' : formatSpan(lagSeconds * 1_000)),
  },
  {
    title: 'Orders/s',
    wide: true,
    width: '100px',
    align: 'right',
    sortBy: ({ ratePerSecond }) => ratePerSecond,
    cell: ({ ratePerSecond }) => ratePerSecond.toLocaleString('en', { maximumFractionDigits: 1 }),
  },
  {
    title: 'Differences',
    wide: true,
    width: '110px',
    align: 'right',
    sortBy: ({ differences }) => differences,
    cell: ({ differences }) => many(differences),
  },
  {
    title: 'Last error',
    wide: true,
    width: 'minmax(120px, 2fr)',
    sortBy: ({ lastError }) => lastError,
    cell: ({ lastError, lastErrorAt }) =>
      lastError === null ? (
        '–'
      ) : (
        <span title={`${lastError}${lastErrorAt === null ? '' : `, ${formatTime(lastErrorAt)}`}`}>
          {lastError}
        </span>
      ),
  },
];

const columnsOf = (onSwitch: ((element: Element) => void) | undefined): readonly Column<Element>[] =>
  onSwitch === undefined
    ? FACTS
    : [
        ...FACTS,
        {
          title: '',
          width: '95px',
          align: 'right',
          cell: (element) => {
            const label = element.state === 'paused' ? 'Resume' : 'Pause';
            return (
              <Button kind="plain" aria-label={`${label} ${element.name}`} onClick={() => onSwitch(element)}>
                {label}
              </Button>
            );
          },
        },
      ];

export function ElementsCard() {
  const isAdmin = mayAs(useSession(), 'admin');
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [asked, setAsked] = useState<string | undefined>();
  const elements = useNetwork(({ elements }) => elements);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ name, paused }: { readonly name: string; readonly paused: boolean }) =>
      setPaused(name, paused),
    onSuccess: (_, { name, paused }) => say(paused ? `${name} paused` : `${name} resumed`),
    onError: complain,
    onSettled: () => {
      setAsked(undefined);
      return queries.invalidateQueries({ queryKey: ['network'] });
    },
  });
  const columns = useMemo(() => {
    const onSwitch = ({ name, state }: Element) =>
      state === 'paused' ? mutate({ name, paused: false }) : setAsked(name);
    return columnsOf(isAdmin ? onSwitch : undefined);
  }, [isAdmin, mutate]);
  return (
    <Card title="Network elements" flush>
      <ReadProblem error={elements.error} data={elements.data} retry={() => void elements.refetch()} />
      {(elements.data !== undefined || !elements.isError) && (
        <ToolTable
          label="Network elements"
          file="network-elements"
          columns={columns}
          rows={elements.data}
          keyOf={({ name }) => name}
          height={216}
          minWidth={990}
          empty={
            <Empty title="No network is connected">
              <p>The setting LINEKEEPER_NETWORK names a file with its elements.</p>
            </Empty>
          }
        />
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={`Pause ${asked}?`}
          action="Pause"
          busy={isPending}
          error={null}
          onConfirm={() => mutate({ name: asked, paused: true })}
          onClose={() => setAsked(undefined)}
        >
          <p>
            It gets no orders until you resume it. Changes of its lines wait, without expiring. Other elements
            continue.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
