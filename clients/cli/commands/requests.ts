import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { Ended, wrongUsage } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { dateTime, numberWithin, uuid } from '../parse-value.ts';
import { plainText } from '../plain-text.ts';
import { print, printFields, printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/requests';
const ONE = 'GET /operator/v1/requests/{id}';
type Call = Row<typeof LIST>;
const EXAMPLE_ID = '019a9139-5c00-7000-8000-2f60c1f5a001';
const FOLLOWED_EVERY_MS = 500;
const PAGE = 1_000;
const MINUTES_MAX = 60;

/** Counts of its effects so far. */
const causedBy = ({ caused: { more, ...caused } }: Call): string =>
  Object.entries(caused)
    .filter(([, list]) => list.length > 0)
    .map(([kind, list]) => `${list.length}${more ? '+' : ''} ${kind}`)
    .join(', ');
const callerOf = ({ caller }: Call) => caller && `${caller.kind} ${caller.name}`;
const reasonOf = ({ injected, reason }: Call) =>
  [injected && 'on purpose', reason?.code].filter(Boolean).join(': ');

const COLUMNS: readonly Column<Call>[] = [
  ['AT', (call) => call.at],
  ['STATUS', (call) => call.status ?? 'none'],
  ['MS', (call) => call.durationMs],
  ['CALLER', callerOf],
  ['OPERATION', (call) => call.operation],
  ['CALL', (call) => `${call.method} ${call.path}`],
  ['CAUSED', causedBy],
  ['REASON', reasonOf],
  ['ID', (call) => call.id],
];

interface Options extends ListOptions {
  readonly account?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly since?: string;
  readonly follow?: boolean;
  readonly max?: number;
}
interface Query extends Readonly<Record<'accountName' | 'operation' | 'since', string | undefined>> {
  readonly status: number | undefined;
}

/** Prints a line for each call that ends from now on, oldest first. */
async function follow(invocation: Invocation, query: Query, max = Number.POSITIVE_INFINITY): Promise<void> {
  const { api, around, json } = invocation;
  let [isOver, exitCode, printed] = [false, 0, 0];
  around.onInterrupt((code) => {
    [isOver, exitCode] = [true, code];
  });
  const newest = await api.call(LIST, { query: { limit: 1 } });
  let after = newest[0]?.id ?? '00000000-0000-0000-0000-000000000000';
  while (!isOver && printed < max) {
    const calls = await api.call(LIST, { query: { ...query, after, limit: Math.min(PAGE, max - printed) } });
    for (const call of calls)
      print(
        invocation,
        json ? JSON.stringify(call) : plainText(COLUMNS.map(([, of]) => of(call)).join('  ')),
      );
    printed += calls.length;
    after = calls.at(-1)?.id ?? after;
    if (calls.length === 0) await sleep(FOLLOWED_EVERY_MS);
  }
  if (exitCode !== 0) throw new Ended(exitCode);
}

async function list(
  { account, operation, status, since, follow: follows, max, ...options }: Options,
  command: Command,
) {
  const invocation = invocationOf(command);
  const query = { accountName: account, operation, since, status: status?.toString() };
  if (follows) return follow(invocation, { ...query, status }, max);
  if (max !== undefined) throw wrongUsage('--max goes with --follow');
  return printList(invocation, { route: LIST, query, columns: COLUMNS }, options);
}

async function show(id: string, { curl }: { readonly curl?: boolean }, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const call = await invocation.api.call(ONE, { path: { id } });
  if (curl) print(invocation, invocation.json ? JSON.stringify(call.curl) : `${call.curl}`);
  else printFields(invocation, call);
}

async function record(accountName: string, minutes: number, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const body = { accountName, minutes };
  const answer = await invocation.api.call('PUT /operator/v1/requests/recording', { body });
  const until = minutes === 0 ? 'no longer logged' : `logged until ${answer.until}`;
  printOutcome(invocation, answer, `Requests of ${accountName} are ${until}.`);
}

export function addRequests(program: Command): void {
  const requests = program.command('requests');
  withListOptions(requests)
    .description('Lists API calls with the reason of a refusal and their effects, newest first.')
    .option('--account <name>', 'only calls of this account')
    .option('--operation <name>', 'only calls of this operation, for example activateDevices')
    .addOption(
      new Option('--status <code>', 'only calls with this status').argParser(numberWithin(100, 599, 400)),
    )
    .option('--since <date>', 'only calls since this time of the service’s clock', dateTime)
    .option('--follow', 'wait for calls and print each one as it ends, until interrupted')
    .option('--max <count>', 'with --follow: end after this many calls', numberWithin(1, 1_000_000, 1))
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper requests --status 400\n  $ linekeeper requests --follow',
    )
    .action(list);
  requests
    .command('show')
    .description('Shows one call with both bodies and its effects.')
    .argument('<id>', 'id of the call', uuid(EXAMPLE_ID))
    .option('--curl', 'print a curl command to copy instead; credentials come from the environment')
    .addHelpText('after', `\nExample:\n  $ linekeeper requests show ${EXAMPLE_ID} --curl`)
    .action(show);
  requests
    .command('record')
    .description('Logs the calls of one account for a time, in production; the sandbox logs all calls.')
    .argument('<account>', 'account whose calls to log')
    .argument(
      '<minutes>',
      `duration, up to ${MINUTES_MAX}; 0 stops logging`,
      numberWithin(0, MINUTES_MAX, 15),
    )
    .addHelpText('after', '\nExample:\n  $ linekeeper requests record 0000123456-00001 15')
    .action(record);
}
