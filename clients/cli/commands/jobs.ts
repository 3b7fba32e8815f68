import { type Command, InvalidArgumentError, Option } from 'commander';
import { invocationOf } from '../invocation.ts';
import { wholeNumber } from '../list-options.ts';
import { uuid } from '../parse-value.ts';
import { printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/jobs';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['ID', (job) => job.id],
  ['KIND', (job) => job.kind],
  ['STATE', (job) => job.state],
  ['DUE', (job) => job.dueAt],
  ['ATTEMPTS', (job) => `${job.attempts} of ${job.attemptsMax}`],
  ['LAST ERROR', (job) => job.lastError],
];

/** The service answers only one page of jobs. */
const LIMIT_MAX = 1_000;

function limitOf(text: string): number {
  const limit = wholeNumber(text);
  if (limit > LIMIT_MAX) throw new InvalidArgumentError(`It can be at most ${LIMIT_MAX}.`);
  return limit;
}

type JobOptions = ListOptions & { readonly state?: string; readonly kind?: string };

export function addJobs(program: Command): void {
  const jobs = program.command('jobs').description('Lists jobs of the service and retries failed ones.');
  jobs
    .command('list')
    .description('Lists jobs, latest due time first.')
    .addOption(
      new Option('--state <state>', 'only those in this state').choices([
        'waiting',
        'running',
        'done',
        'failed',
      ]),
    )
    .option('--kind <kind>', 'only those of this kind')
    .option('--limit <count>', `maximum number of entries, up to ${LIMIT_MAX}`, limitOf, 100)
    .addHelpText('after', '\nExample:\n  $ linekeeper jobs list --state failed')
    .action(({ state, kind, ...options }: JobOptions, command: Command) =>
      printList(invocationOf(command), { route: LIST, query: { state, kind }, columns: COLUMNS }, options),
    );
  jobs
    .command('retry')
    .description('Retries a failed job, with a new set of attempts.')
    .argument('<id>', 'id of the job, from jobs list', uuid('6f1c0f0e-6b1e-4d6a-9a7e-3f1b2c4d5e6f'))
    .addHelpText('after', '\nExample:\n  $ linekeeper jobs retry 6f1c0f0e-6b1e-4d6a-9a7e-3f1b2c4d5e6f')
    .action(async (id: string, _: object, command: Command) => {
      const invocation = invocationOf(command);
      const path = { jobId: id };
      const answer = await invocation.api.call('POST /operator/v1/jobs/{jobId}/retry', { path });
      printOutcome(invocation, answer, `Job ${id} will be retried.`);
    });
}
