import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Answer, Body } from '../../sdk/index.ts';
import { confirm, type YesOption } from '../confirm.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import type { OperatorApi } from '../operator-api.ts';
import { printFields, printOutcome } from '../print.ts';
import { describeShare, type Progress, startProgress } from '../progress.ts';

/** The service holds its answer back for 60 seconds before it says that it goes on. */
const MOVE_SECONDS = 90;
const POLL_MS = 1_000;

type Move = Body<'POST /operator/v1/clock'>;
type Moved = Answer<'POST /operator/v1/clock'>;

interface Stretch {
  readonly from: string;
  readonly to: string | undefined;
}

/** How far the time itself has come: what is still to do is found out on the way. */
function describeMove(
  { now, ran = 0, remaining = 0 }: Partial<Moved> & { now: string },
  stretch: Stretch,
): string {
  const words = `The clock is at ${now}, ${ran} done, ${remaining} to go`;
  const [from, to] = [Date.parse(stretch.from), Date.parse(stretch.to ?? '')];
  return to > from ? `${describeShare((Date.parse(now) - from) / (to - from))}  ${words}` : words;
}

/** What was still to do when the service stopped waiting, until nothing is. */
async function follow(api: OperatorApi, first: Moved, progress: Progress): Promise<Moved> {
  const { now: from } = first;
  let [ran, to] = [first.ran, undefined as string | undefined];
  progress.show(describeMove(first, { from, to }));
  for (;;) {
    await sleep(POLL_MS);
    const clock = await api.call('GET /operator/v1/clock');
    if (clock.movingTo === undefined) {
      if (to !== undefined && clock.now < to)
        throw new Failure('refused', `The clock stopped at ${clock.now}, before it reached ${to}`);
      return { now: clock.now, ran };
    }
    [ran, to] = [clock.ran ?? ran, clock.movingTo];
    progress.show(describeMove(clock, { from, to }));
  }
}

async function move(invocation: Invocation, body: Move): Promise<void> {
  const { api } = invocation;
  const progress = startProgress(invocation);
  try {
    progress.show('The clock is moving…');
    const answer = await api.request('POST /operator/v1/clock', {
      body,
      timeoutMs: api.timeoutMs(MOVE_SECONDS),
    });
    const followed = answer.status === 202;
    const moved = followed ? await follow(api, answer.data, progress) : answer.data;
    progress.stop();
    // The service forgets the count with the end of a move; what was seen last is a lower bound.
    const done = `${followed ? 'at least ' : ''}${moved.ran} due ${moved.ran === 1 ? 'piece of work was' : 'pieces of work were'} done`;
    printOutcome(invocation, { ...moved, followed }, `The clock is at ${moved.now}; ${done}.`);
  } finally {
    progress.stop();
  }
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

async function set(date: string, _: object, command: Command): Promise<void> {
  if (!DATE.test(date) || Number.isNaN(Date.parse(date)))
    throw wrongUsage(`${date} is no ISO date, or a time without its zone: 2026-12-01T08:00:00Z would be one`);
  await move(invocationOf(command), { set: date });
}

async function reset(options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm('Set the clock back to real time and delete every account, user and device?', options);
  await move(invocation, { reset: true });
}

export function addClock(program: Command): void {
  const clock = program
    .command('clock')
    .description(
      "Shows the service's own time; in the sandbox also moves it, through everything that falls due.",
    );
  clock
    .command('show', { isDefault: true })
    .description('Shows the time of the service and how far it is from real time.')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock')
    .action(async (_: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call('GET /operator/v1/clock'));
    });
  clock
    .command('advance')
    .description('Moves the time forward and waits until all that falls due is done.')
    .argument('<duration>', 'ISO 8601, for example PT5M, P1D or P1M')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock advance PT5M')
    .action((advance: string, _: object, command: Command) => move(invocationOf(command), { advance }));
  clock
    .command('set')
    .description('Moves the time forward to a date and waits until all that falls due is done.')
    .argument('<date>', 'ISO 8601, a day or a time with its zone')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock set 2026-12-01T08:00:00Z')
    .action(set);
  clock
    .command('reset')
    .description('Goes back to real time and deletes all accounts, users, devices and what belongs to them.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock reset --yes')
    .action(reset);
}
