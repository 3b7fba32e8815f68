import type { Command } from 'commander';
import type { Answer } from '../../sdk/index.ts';
import { Ended, EXIT } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { uuid } from '../parse-value.ts';
import { pollUntil } from '../poll.ts';
import { printOutcome } from '../print.ts';
import { describeShare, startProgress } from '../progress.ts';

type Check = Answer<'GET /operator/v1/network/check/{jobId}'>;

interface CheckOptions {
  readonly account?: string;
  readonly repair?: boolean;
  readonly wait: boolean;
  readonly follow?: string;
}

const SAMPLE_ID = '6f1c0f0e-6b1e-4d6a-9a7e-3f1b2c4d5e6f';

function describeProgress(check: Check): string[] {
  const { state, lines, checked, skipped, differences, unanswered, repairing } = check;
  const seen = checked + skipped + unanswered;
  const found = `${differences} differences`;
  if (state === 'repairing') return [`${repairing} repairs pending`, found];
  return [
    ...(lines > 0 ? [describeShare(Math.min(1, seen / lines))] : []),
    `${checked} of ${lines} lines`,
    found,
    ...(unanswered > 0 ? [`${unanswered} not answered`] : []),
  ];
}

function describeEnd({
  state,
  accounts,
  accountsEnded,
  checked,
  skipped,
  differences,
  unanswered,
  silent,
  left,
}: Check): string {
  return [
    `${checked} lines of ${accountsEnded} accounts, ${differences} differences, ${left} left.`,
    ...(skipped > 0
      ? [`${skipped} lines were not compared: no element can tell, or they were being changed.`]
      : []),
    ...(unanswered > 0 ? [`Elements did not report the state of ${unanswered} lines.`] : []),
    ...(silent.length > 0
      ? [`These elements stopped answering and were not asked for all lines: ${silent.join(', ')}.`]
      : []),
    ...(state === 'failed' ? [`Some of the ${accounts} accounts could not be checked.`] : []),
    ...(left > 0 ? ['linekeeper network differences lists the remaining ones.'] : []),
  ].join(' ');
}

async function follow(invocation: Invocation, jobId: string): Promise<void> {
  const progress = startProgress(invocation);
  let check: Check;
  try {
    progress.show('Starting the check…');
    check = await pollUntil(
      async () => {
        const seen = await invocation.api.call('GET /operator/v1/network/check/{jobId}', { path: { jobId } });
        progress.show(...describeProgress(seen));
        return seen;
      },
      ({ state }) => state !== 'checking' && state !== 'repairing',
    );
  } finally {
    progress.stop();
  }
  printOutcome(invocation, check, describeEnd(check));
  if (check.left > 0 || check.unanswered > 0 || check.state === 'failed') throw new Ended(EXIT.refused);
}

async function check(options: CheckOptions, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  if (options.follow !== undefined) return follow(invocation, options.follow);
  const { account, repair = false, wait } = options;
  const body = { repair, ...(account !== undefined && { accountName: account }) };
  const started = await invocation.api.call('POST /operator/v1/network/check', { body });
  if (wait) return follow(invocation, started.jobId);
  printOutcome(
    invocation,
    started,
    `Check started; wait for it with linekeeper network check --follow ${started.jobId}.`,
  );
}

export function addCheck(network: Command): void {
  network
    .command('check')
    .description(
      'Compares lines with the state that their elements report, and waits for the end. ' +
        'The exit code is 0 if no differences remain, and 1 otherwise.',
    )
    .option('--account <name>', 'only the lines of this account')
    .option('--repair', 'order the elements to match the service, and wait until that is done')
    .option('--no-wait', 'only start the check')
    .option('--follow <id>', 'wait for a check started earlier', uuid(SAMPLE_ID))
    .addHelpText('after', '\nExample:\n  $ linekeeper network check --account 0000123456-00001 --repair')
    .action(check);
}
