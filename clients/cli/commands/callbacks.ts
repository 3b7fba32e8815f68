import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { Ended, EXIT, wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { wholeNumber } from '../list-options.ts';
import { dateTime } from '../parse-value.ts';
import { printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import { SERVICE_NAMES, type ServiceName } from '../samples.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/callbacks';
type Delivery = Row<typeof LIST>;

const lastOf = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  return last === undefined ? '' : (last.error ?? String(last.status));
};

const COLUMNS: readonly Column<Delivery>[] = [
  ['REQUEST', (delivery) => delivery.requestId],
  ['ACCOUNT', (delivery) => delivery.accountName],
  ['SERVICE', (delivery) => delivery.serviceName],
  ['STATE', (delivery) => delivery.state],
  ['CREATED', (delivery) => delivery.createdAt],
  ['ATTEMPTS', (delivery) => String(delivery.attempts.length)],
  ['LAST ANSWER', lastOf],
];

/** The service answers only one page of callbacks. */
const LIMIT_MAX = 1_000;

function limitOf(text: string): number {
  const limit = wholeNumber(text);
  if (limit > LIMIT_MAX) throw new InvalidArgumentError(`It can be at most ${LIMIT_MAX}.`);
  return limit;
}

type CallbackOptions = ListOptions & Partial<Record<'account' | 'request' | 'service' | 'state', string>>;

type Resend = Partial<Record<'account' | 'since', string>> & { readonly service?: ServiceName };

async function resend(
  requestId: string | undefined,
  { account, service, since }: Resend,
  command: Command,
): Promise<void> {
  if ((requestId === undefined) === (account === undefined))
    throw wrongUsage(
      'Give a request id or --account',
      'linekeeper callbacks resend --account 0000123456-00001 --since 2026-01-15',
    );
  if (requestId !== undefined && (service ?? since) !== undefined)
    throw wrongUsage('--service and --since go with --account');
  const invocation = invocationOf(command);
  const body = { requestId, accountName: account, serviceName: service, since };
  const answer = await invocation.api.call('POST /operator/v1/callbacks/resend', { body });
  const of = requestId === undefined ? `account ${account}` : `request ${requestId}`;
  const nothing = `No failed callback of ${of} found; nothing re-sent.`;
  printOutcome(invocation, answer, answer.resent === 0 ? nothing : `Callbacks to re-send: ${answer.resent}.`);
  if (answer.resent === 0) throw new Ended(EXIT.refused);
}

const VERBS = [
  ['pause', 'paused', 'Pauses a listener; its callbacks wait until you resume it.'],
  ['resume', 'resumed', 'Resumes a listener and sends its waiting callbacks.'],
] as const;

export function addCallbacks(program: Command): void {
  const callbacks = program
    .command('callbacks')
    .description('Lists and re-sends callbacks, and pauses and resumes listeners.');
  callbacks
    .command('list')
    .description('Lists callbacks, newest first; --json shows every attempt with its answer.')
    .option('--account <name>', 'only those of this account')
    .option('--request <id>', 'only those of this request')
    .addOption(new Option('--service <name>', 'only those of this callback service').choices(SERVICE_NAMES))
    .addOption(
      new Option('--state <state>', 'only those in this state').choices(['pending', 'delivered', 'failed']),
    )
    .option('--limit <count>', `maximum number of entries, up to ${LIMIT_MAX}`, limitOf, 100)
    .addHelpText('after', '\nExample:\n  $ linekeeper callbacks list --state failed')
    .action(({ account, request, service, state, ...options }: CallbackOptions, command: Command) => {
      const query = { accountName: account, requestId: request, serviceName: service, state };
      return printList(invocationOf(command), { route: LIST, query, columns: COLUMNS }, options);
    });
  callbacks
    .command('resend')
    .description('Re-sends the failed callbacks of a request or an account, in a new series of attempts.')
    .argument('[request]', 'request id')
    .option('--account <name>', 'instead of a request: callbacks of this account')
    .addOption(new Option('--service <name>', 'only those of this callback service').choices(SERVICE_NAMES))
    .option('--since <date>', 'only callbacks created since then', dateTime)
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper callbacks resend 5f0c7a34-9c0e-4d34-a8a1-0f4d2a6d8c11' +
        '\n  $ linekeeper callbacks resend --account 0000123456-00001 --since 2026-01-15',
    )
    .action(resend);
  for (const [verb, done, description] of VERBS) {
    callbacks
      .command(verb)
      .description(description)
      .argument('<account>', 'account of the listener')
      .addArgument(new Argument('<service>', 'its callback service').choices(SERVICE_NAMES))
      .addHelpText('after', `\nExample:\n  $ linekeeper callbacks ${verb} 0000123456-00001 CarrierService`)
      .action(async (accountName: string, serviceName: ServiceName, _: object, command: Command) => {
        const invocation = invocationOf(command);
        const body = { accountName, serviceName };
        const answer = await invocation.api.call(`POST /operator/v1/callbacks/${verb}`, { body });
        printOutcome(invocation, answer, `Callbacks of ${serviceName} to ${accountName} are ${done}.`);
      });
  }
}
