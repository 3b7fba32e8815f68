import { type Command, InvalidArgumentError, Option } from 'commander';
import { invocationOf } from '../invocation.ts';
import { wholeNumber } from '../list-options.ts';
import { printOutcome } from '../print.ts';
import { type ListOptions, printList } from '../print-list.ts';
import type { Column } from '../table.ts';

interface Delivery {
  readonly id: string;
  readonly requestId: string;
  readonly accountName: string;
  readonly serviceName: string;
  readonly state: string;
  readonly createdAt: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

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

/** The service gives no second page of callbacks. */
const LIMIT_MAX = 1_000;

function limitOf(text: string): number {
  const limit = wholeNumber(text);
  if (limit > LIMIT_MAX) throw new InvalidArgumentError(`It is at most ${LIMIT_MAX}.`);
  return limit;
}

type CallbackOptions = ListOptions & Partial<Record<'account' | 'request' | 'service' | 'state', string>>;

const VERBS = [
  ['pause', 'paused', 'Holds back the callbacks of one listener; they wait until they are resumed.'],
  ['resume', 'resumed', 'Sends the callbacks of one listener again, with those that waited.'],
] as const;

export function addCallbacks(program: Command): void {
  const callbacks = program
    .command('callbacks')
    .description('Lists what was sent to listeners, sends it again, and holds back one listener.');
  callbacks
    .command('list')
    .description('Lists callbacks, newest first; --json shows every attempt with its answer.')
    .option('--account <name>', 'only those of this account')
    .option('--request <id>', 'only those of this request')
    .option('--service <name>', 'only those of this callback service')
    .addOption(
      new Option('--state <state>', 'only those in this state').choices(['pending', 'delivered', 'failed']),
    )
    .option('--limit <count>', `entries at most, up to ${LIMIT_MAX}`, limitOf, 100)
    .addHelpText('after', '\nExample:\n  $ linekeeper callbacks list --state failed')
    .action(({ account, request, service, state, ...options }: CallbackOptions, command: Command) => {
      const query = { accountName: account, requestId: request, serviceName: service, state };
      return printList(invocationOf(command), { path: '/callbacks', query, columns: COLUMNS }, options);
    });
  callbacks
    .command('resend')
    .description('Sends the failed callbacks of a request again, in a new series of attempts.')
    .argument('<request>', 'request id')
    .addHelpText('after', '\nExample:\n  $ linekeeper callbacks resend 5f0c7a34-9c0e-4d34-a8a1-0f4d2a6d8c11')
    .action(async (requestId: string, _: object, command: Command) => {
      const invocation = invocationOf(command);
      const { body } = await invocation.api.call<{ resent: number }>('/callbacks/resend', {
        method: 'POST',
        body: { requestId },
      });
      printOutcome(invocation, body, `Callbacks that are sent again: ${body.resent}.`);
    });
  for (const [verb, done, description] of VERBS) {
    callbacks
      .command(verb)
      .description(description)
      .argument('<account>', 'account of the listener')
      .argument('<service>', 'callback service it listens to, for example CarrierService')
      .addHelpText('after', `\nExample:\n  $ linekeeper callbacks ${verb} 0000123456-00001 CarrierService`)
      .action(async (accountName: string, serviceName: string, _: object, command: Command) => {
        const invocation = invocationOf(command);
        const { body } = await invocation.api.call(`/callbacks/${verb}`, {
          method: 'POST',
          body: { accountName, serviceName },
        });
        printOutcome(invocation, body, `Callbacks of ${serviceName} to ${accountName} are ${done}.`);
      });
  }
}
