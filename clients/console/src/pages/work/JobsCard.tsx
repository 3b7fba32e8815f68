import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { JOBS_SHOWN, type Job, type JobFilter, listJobs, retryJob } from '../../api/work.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { useFilter, useTypedFilter } from '../../app/use-filter.ts';
import { Badge, type Tone } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatTime } from '../../text/format.ts';
import { JobDialog } from './JobDialog.tsx';

const AGAIN_MS = 5_000;

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  waiting: { tone: 'accent', word: 'Waiting' },
  running: { tone: 'warn', word: 'Running' },
  done: { tone: 'good', word: 'Done' },
  failed: { tone: 'bad', word: 'Failed' },
};

const wordOf = (state: string): string => STATES[state]?.word ?? state;

const FACTS: readonly Column<Job>[] = [
  {
    title: 'State',
    width: '100px',
    sortBy: ({ state }) => wordOf(state),
    cell: ({ state }) => <Badge tone={STATES[state]?.tone ?? 'none'}>{wordOf(state)}</Badge>,
  },
  {
    title: 'Due',
    wide: true,
    width: TIME_WIDTH,
    sortBy: ({ dueAt }) => dueAt,
    cell: ({ dueAt }) => formatTime(dueAt),
  },
  {
    title: 'Customer',
    wide: true,
    width: '120px',
    sortBy: ({ ecpdId }) => ecpdId,
    cell: ({ ecpdId }) => <span className="mono">{ecpdId ?? '–'}</span>,
  },
  {
    title: 'Attempts',
    wide: true,
    width: '90px',
    align: 'right',
    sortBy: ({ attempts }) => attempts,
    cell: ({ attempts, attemptsMax }) => `${attempts} of ${attemptsMax}`,
  },
  {
    title: 'Last error',
    wide: true,
    width: 'minmax(140px, 2fr)',
    sortBy: ({ lastError }) => lastError,
    cell: ({ lastError }) => <span title={lastError ?? ''}>{lastError ?? '–'}</span>,
  },
];

const columnsOf = (
  open: (job: Job) => void,
  retry: ((job: Job) => void) | undefined,
): readonly Column<Job>[] => [
  {
    title: 'Job',
    width: 'minmax(130px, 3fr)',
    sortBy: ({ kind }) => kind,
    cell: (job) => (
      <button type="button" className="row-link" title={job.kind} onClick={() => open(job)}>
        {job.kind}
      </button>
    ),
  },
  ...FACTS,
  ...(retry === undefined
    ? []
    : [
        {
          title: '',
          width: '90px',
          align: 'right' as const,
          cell: (job: Job) =>
            job.state === 'failed' && (
              <Button kind="plain" aria-label={`Retry ${job.kind}`} onClick={() => retry(job)}>
                Retry
              </Button>
            ),
        },
      ]),
];

const OPTIONS: readonly (readonly [state: string, word: string])[] = [
  ['', 'All states'],
  ...Object.entries(STATES).map(([state, { word }]) => [state, word] as const),
];

export function JobsCard() {
  const isAdmin = mayAs(useSession(), 'admin');
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [state, setState] = useFilter('state');
  const kind = useTypedFilter('kind');
  const [open, setOpen] = useState<Job | undefined>();
  const filter: JobFilter = {
    state: (OPTIONS.some(([known]) => known === state)
      ? state || undefined
      : undefined) as JobFilter['state'],
    kind: kind.settled || undefined,
  };
  const jobs = useQuery({
    queryKey: ['work', 'jobs', filter],
    queryFn: ({ signal }) => listJobs(filter, signal),
    refetchInterval: AGAIN_MS,
  });
  const { mutate } = useMutation({
    mutationFn: (job: Job) => retryJob(job.id),
    onSuccess: (_, job) => say(`${job.kind} will be retried`),
    onError: complain,
    onSettled: () => queries.invalidateQueries({ queryKey: ['work'] }),
  });
  const columns = useMemo(() => columnsOf(setOpen, isAdmin ? mutate : undefined), [isAdmin, mutate]);
  return (
    <Card
      title="Jobs"
      flush
      aside={
        <div className="row">
          <input
            className="input"
            style={{ width: 190 }}
            type="search"
            aria-label="Kind of job"
            placeholder="Kind of job"
            value={kind.typed}
            maxLength={128}
            onChange={(event) => kind.setTyped(event.target.value)}
          />
          <select
            className="input"
            style={{ width: 150 }}
            aria-label="State of the jobs"
            value={filter.state ?? ''}
            onChange={(event) => setState(event.target.value)}
          >
            {OPTIONS.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </div>
      }
    >
      <ReadProblem error={jobs.error} data={jobs.data} retry={() => void jobs.refetch()} />
      {(jobs.data !== undefined || !jobs.isError) && (
        <ToolTable
          label="Jobs"
          file="jobs"
          columns={columns}
          rows={jobs.data}
          hasMore={jobs.data?.length === JOBS_SHOWN}
          keyOf={({ id }) => id}
          height={420}
          minWidth={1_240}
          empty={<Empty title="No jobs found" />}
        />
      )}
      {open !== undefined && <JobDialog job={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
