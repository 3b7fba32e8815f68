import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Body } from '../../sdk/index.ts';
import { wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { parseBody } from '../parse-body.ts';
import { numberWithin } from '../parse-value.ts';
import { printOutcome } from '../print.ts';
import { printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/faults';
const SET = 'PUT /operator/v1/faults';
type Rule = Body<typeof SET>[number];

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['MATCH', ({ match = {} }) => (Object.keys(match).length === 0 ? 'every call' : match)],
  ['AFTER', (rule) => rule.after],
  ['TIMES', (rule) => rule.times],
  ['THEN', (rule) => rule.then],
  ['MATCHED', (rule) => rule.matched],
  ['USED', (rule) => rule.used],
];

interface Options {
  readonly rules?: string;
  readonly operation?: string;
  readonly path?: string;
  readonly account?: string;
  readonly probability?: number;
  readonly after?: number;
  readonly times?: number;
  readonly status?: number;
  readonly delay?: number;
  readonly drop?: 'before' | 'after';
  readonly expireToken?: true;
}

const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Builds a rule from options. */
function ruleOf({ operation, path, account, probability, after, times, ...options }: Options): Rule {
  const { status, delay, drop, expireToken } = options;
  return defined({
    match: defined({ operation, path, accountName: account, probability }),
    ...{ after, times },
    then: defined({ status, delayMs: delay, drop, expireToken }),
  }) as Rule;
}

async function set({ rules, ...one }: Options, command: Command): Promise<void> {
  const hasOptions = Object.keys(one).length > 0;
  if ((rules === undefined) !== hasOptions)
    throw wrongUsage(
      'Give options for one rule, or --rules for several',
      'linekeeper faults set --operation listPlans --times 2 --status 503',
    );
  const invocation = invocationOf(command);
  const body = rules === undefined ? [ruleOf(one)] : ((await parseBody(invocation.around, rules)) as Rule[]);
  const answer = await invocation.api.call(SET, { body });
  printOutcome(invocation, answer, `Failure rules: ${answer.length}.`);
}

async function clear(_: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await invocation.api.call('DELETE /operator/v1/faults');
  printOutcome(invocation, answer, 'No failures are injected any more.');
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1 such as 0.3.');
  return value;
}

const COUNT_MAX = 1_000_000;

export function addFaults(program: Command): void {
  const faults = program
    .command('faults')
    .description('Injects failures into calls of the sandbox, and lists their rules.')
    .addHelpText('after', '\nExample:\n  $ linekeeper faults')
    .action((_: object, command: Command) =>
      printList(invocationOf(command), { route: LIST, columns: COLUMNS }, {}),
    );
  faults
    .command('set')
    .description('Sets one rule from options, or several as JSON. They replace all earlier rules.')
    .option('--rules <json>', 'rules as a JSON list; @FILE reads a file, @- standard input')
    .option('--operation <name>', 'calls of this operation, for example activateDevices')
    .option('--path <path>', 'calls of this path; with * at the end, of all paths that begin with it')
    .option('--account <name>', 'calls of this account')
    .option('--probability <share>', 'only this share of the calls, such as 0.3', share)
    .option('--after <count>', 'let this many calls pass first', numberWithin(0, COUNT_MAX, 3))
    .option('--times <count>', 'apply to this many calls; default: all', numberWithin(0, COUNT_MAX, 2))
    .option('--status <code>', 'answer with this status, and do nothing', numberWithin(200, 599, 503))
    .option('--delay <ms>', 'wait this long first', numberWithin(0, 60_000, 2_000))
    .addOption(
      new Option('--drop <when>', 'cut the connection before or after the call is done').choices([
        'before',
        'after',
      ]),
    )
    .option('--expire-token', 'let the session of the call expire, or its bearer token if it has no session')
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper faults set --operation listPlans --times 2 --status 503' +
        '\n  $ linekeeper faults set --operation logIn --probability 0.3 --delay 2000' +
        '\n  $ linekeeper faults set --operation activateDevices --times 1 --drop after',
    )
    .action(set);
  faults
    .command('clear')
    .description('Removes all failure rules.')
    .addHelpText('after', '\nExample:\n  $ linekeeper faults clear')
    .action(clear);
}
