import type { UseQueryResult } from '@tanstack/react-query';
import type { Process, Service } from '../../api/work.ts';
import { Badge, type Tone } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { formatSpan } from '../../text/format.ts';

const STATES: Readonly<Record<Process['state'], { readonly tone: Tone; readonly word: string }>> = {
  ready: { tone: 'good', word: 'Ready' },
  'not ready': { tone: 'bad', word: 'Not ready' },
  gone: { tone: 'warn', word: 'Gone' },
};
const ROLES: Readonly<Record<string, string>> = {
  all: 'API and jobs',
  api: 'API',
  worker: 'Jobs',
};

/** The failing checks, and problems that do not make the process unready. */
const troubleOf = ({ failing, notices }: Process): string =>
  [...failing, ...notices].map(({ check, reason }) => `${check}: ${reason}`).join('; ');

const heardWords = ({ state, silentSeconds }: Process): string =>
  state === 'gone' ? `${formatSpan(silentSeconds * 1_000)} ago` : 'just now';

const COLUMNS: readonly Column<Process>[] = [
  {
    title: 'Process',
    width: 'minmax(100px, 120px)',
    sortBy: ({ nodeId }) => nodeId,
    cell: ({ nodeId }) => (
      <span className="mono" title={nodeId}>
        {nodeId.slice(0, 8)}
      </span>
    ),
  },
  {
    title: 'State',
    width: '110px',
    sortBy: ({ state }) => STATES[state].word,
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>,
  },
  {
    title: 'Role',
    width: '130px',
    sortBy: ({ role }) => ROLES[role] ?? role,
    cell: ({ role }) => ROLES[role] ?? role,
  },
  {
    title: 'Up for',
    wide: true,
    width: '120px',
    sortBy: ({ upSeconds }) => upSeconds,
    cell: ({ upSeconds }) => formatSpan(upSeconds * 1_000),
  },
  {
    title: 'Last report',
    wide: true,
    width: '150px',
    sortBy: ({ silentSeconds }) => silentSeconds,
    text: heardWords,
    cell: heardWords,
  },
  {
    title: 'Problems',
    wide: true,
    width: 'minmax(180px, 1fr)',
    sortBy: troubleOf,
    cell: (process) => <span title={troubleOf(process)}>{troubleOf(process) || '–'}</span>,
  },
];

export function ProcessesCard({ service }: { readonly service: UseQueryResult<Service> }) {
  return (
    <Card title="Processes" flush aside={<span className="small soft">last hour</span>}>
      <ReadProblem error={service.error} data={service.data} retry={() => void service.refetch()} />
      {(service.data !== undefined || !service.isError) && (
        <ToolTable
          label="Processes"
          file="processes"
          columns={COLUMNS}
          rows={service.data?.processes}
          keyOf={({ nodeId }) => nodeId}
          height={180}
          minWidth={860}
          empty={<Empty title="No process has reported yet" />}
        />
      )}
    </Card>
  );
}
