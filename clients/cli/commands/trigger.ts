import { randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { parseBody } from '../parse-body.ts';
import { printLines, printOutcome } from '../print.ts';
import { runOf } from '../run.ts';
import { loadSamples, SERVICE_NAMES, type ServiceName, sampleOf } from '../samples.ts';

interface Options {
  readonly account?: string;
  readonly event?: string;
  readonly request?: string;
  readonly payload?: string;
}

function listEvents(serviceName: ServiceName | undefined, command: Command): void {
  const { channels, components } = loadSamples();
  const events = Object.entries(channels)
    .filter(([name]) => serviceName === undefined || name === serviceName)
    .flatMap(([name, { messages }]) =>
      Object.keys(messages).map((event) => ({
        serviceName: name,
        event,
        summary: components.messages[event]?.summary,
      })),
    );
  const lines = events.map(({ serviceName: name, event, summary }) => `${name} --event ${event}  ${summary}`);
  printLines(runOf(command), events, lines);
}

/** The named event, or the first of the service. */
function eventOf(serviceName: ServiceName, named: string | undefined): string {
  const known = Object.keys(loadSamples().channels[serviceName]?.messages ?? {});
  const event = named ?? known[0];
  if (event !== undefined && known.includes(event)) return event;
  throw wrongUsage(`${serviceName} has no event ${named}; it has ${known.join(', ')}`);
}

async function accountOf(command: Command, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const accounts = await invocationOf(command).api.call('GET /operator/v1/accounts', { query: { limit: 2 } });
  const [only, ...others] = accounts;
  if (only === undefined || others.length > 0)
    throw wrongUsage('Give --account, unless there is exactly one account');
  return only.accountName;
}

async function trigger(
  serviceName: ServiceName | undefined,
  { account, event, request: requestId = randomUUID(), payload: given }: Options,
  command: Command,
): Promise<void> {
  if (serviceName === undefined) return listEvents(serviceName, command);
  const name = eventOf(serviceName, event);
  const invocation = invocationOf(command);
  const accountName = await accountOf(command, account);
  const payload =
    given === undefined
      ? sampleOf(name, { accountName, requestId })
      : ((await parseBody(invocation.around, given)) as object);
  const body = { accountName, serviceName, requestId, payload: { ...payload } };
  const answer = await invocation.api.call('POST /operator/v1/events', { body });
  const sentence = `Sending a sample of ${serviceName} (${name}) to the listener of ${accountName} as request ${requestId}.`;
  printOutcome(invocation, answer, sentence);
}

export function addTrigger(program: Command): void {
  program
    .command('trigger')
    .description(
      'Sends a sample callback to the listener of an account, through the same engine as real callbacks. ' +
        'Without a service, it lists all samples.',
    )
    .addArgument(new Argument('[service]', 'callback service').choices(SERVICE_NAMES))
    .option('--account <name>', 'account of the listener; optional when there is only one account')
    .option('--event <name>', 'event of the service; default: the first')
    .option('--request <id>', 'request id; default: a new one')
    .option('--payload <json>', 'payload instead of the sample: JSON, @file or @- for standard input')
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper trigger\n  $ linekeeper trigger CarrierService --event activate --account 0000123456-00001',
    )
    .action(trigger);
}
