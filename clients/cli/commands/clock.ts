import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Answer, Body } from '../../sdk/index.ts';
import { confirm, type YesOption } from '../confirm.ts';
import { describeMove } from '../describe-move.ts';
import { describeOffset } from '../domain-time.ts';
import { Failure } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { dateTime, duration } from '../parse-value.ts';
import { pollUntil } from '../poll.ts';
import { printFields, printOutcome } from '../print.ts';
import { type Progress, startProgress } from '../progress.ts';

/** After 60 seconds the service answers, even if the move continues. */
const MOVE_SECONDS = 90;
const POLL_MS = 250;

type Move = Body<'POST /operator/v1/clock'>;
type Moved = Answer<'POST /operator/v1/clock'>;

type Clock = Answer<'GET /operator/v1/clock'>;

/** The observed state of a move. */
interface Seen {
  readonly sinceMs: number;
  to: string | undefined;
  ran: number;
}

/** Polls a running move once; answers the clock. */
async function look({ api }: Invocation, seen: Seen, progress: Progress): Promise<Clock> {
  const clock = await api.call('GET /operator/v1/clock');
  if (clock.movingTo === undefined) return clock;
  [seen.ran, seen.to] = [Math.max(seen.ran, clock.ran ?? 0), clock.movingTo];
  progress.show(...describeMove(clock, clock.movingTo, seen.sinceMs));
  return clock;
}

/** Polls until the move that the service no longer waits for is complete. */
async function follow(invocation: Invocation, seen: Seen, progress: Progress): Promise<Moved> {
  const clock = await pollUntil(
    () => look(invocation, seen, progress),
    ({ movingTo }) => movingTo === undefined,
  );
  if (seen.to !== undefined && clock.now < seen.to)
    throw new Failure('refused', `The clock stopped at ${clock.now} instead of ${seen.to}`);
  return { now: clock.now, ran: seen.ran };
}

/** Shows the progress of a move until its call is answered. */
async function watchWhile<T>(
  invocation: Invocation,
  seen: Seen,
  progress: Progress,
  call: Promise<T>,
): Promise<T> {
  let answered = false;
  const end = () => {
    answered = true;
  };
  call.then(end, end);
  // A failed poll is not a failed move; the call itself reports that.
  const watching = (async () => {
    while (!answered) {
      await Promise.race([call.catch(() => {}), sleep(POLL_MS, undefined, { ref: false })]);
      if (!answered) await look(invocation, seen, progress).catch(() => {});
    }
  })();
  watching.catch(() => {});
  return call;
}

async function move(invocation: Invocation, body: Move): Promise<void> {
  const { api } = invocation;
  const progress = startProgress(invocation);
  try {
    progress.show('The clock is moving…');
    const seen: Seen = { sinceMs: performance.now(), to: undefined, ran: 0 };
    const call = api.request('POST /operator/v1/clock', { body, timeoutMs: api.timeoutMs(MOVE_SECONDS) });
    const answer = await watchWhile(invocation, seen, progress, call);
    const followed = answer.status === 202;
    seen.ran = Math.max(seen.ran, answer.data.ran);
    const moved = followed ? await follow(invocation, seen, progress) : answer.data;
    progress.stop();
    // The service drops the count at the end of a move, so the last one seen is a lower bound.
    const done = `${followed ? 'at least ' : ''}${moved.ran} due ${moved.ran === 1 ? 'job' : 'jobs'} done`;
    printOutcome(invocation, { ...moved, followed }, `The clock is at ${moved.now}; ${done}.`);
  } finally {
    progress.stop();
  }
}

interface LifeOption {
  readonly life: boolean;
}
const NO_LIFE = 'move only the clock: simulated devices do nothing during the move';
const withoutLife = (life: boolean) => (life ? {} : { life });

async function freeze(frozen: boolean, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { now } = await invocation.api.call('POST /operator/v1/clock', { body: { freeze: frozen } });
  printOutcome(
    invocation,
    { now, frozen },
    frozen ? `The clock is frozen at ${now}.` : `The clock runs from ${now}.`,
  );
}

async function set(date: string, { life }: LifeOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { now } = await invocation.api.call('GET /operator/v1/clock');
  if (Date.parse(date) < Date.parse(now))
    throw new Failure(
      'refused',
      `The clock only moves forward, and ${date} is before its current time ${now}`,
    );
  await move(invocation, { set: date, ...withoutLife(life) });
}

async function show(_: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const clock = await invocation.api.call('GET /operator/v1/clock');
  const { offsetMs, ...others } = clock;
  printFields(invocation, invocation.json ? clock : { ...others, offset: describeOffset(offsetMs) });
}

async function reset(options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(
    invocation,
    'Set the clock back to real time and delete every account, user and device?',
    options,
  );
  await move(invocation, { reset: true });
}

export function addClock(program: Command): void {
  const clock = program
    .command('clock')
    .description(
      "Shows the service's time, and moves it in the sandbox, doing everything due along the way.",
    );
  clock
    .command('show', { isDefault: true })
    .description('Shows the time of the service and its offset from real time.')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock')
    .action(show);
  clock
    .command('advance')
    .description('Advances the clock and waits until everything due is done.')
    .argument('<duration>', 'ISO 8601, for example PT5M, P1D or P1M', duration)
    .option('--no-life', NO_LIFE)
    .addHelpText('after', '\nExample:\n  $ linekeeper clock advance PT5M')
    .action((advance: string, { life }: LifeOption, command: Command) =>
      move(invocationOf(command), { advance, ...withoutLife(life) }),
    );
  clock
    .command('set')
    .description('Advances the clock to a date and waits until everything due is done.')
    .argument('<date>', 'ISO 8601, a day or a time with its zone', dateTime)
    .option('--no-life', NO_LIFE)
    .addHelpText('after', '\nExample:\n  $ linekeeper clock set 2026-12-01T08:00:00Z')
    .action(set);
  clock
    .command('freeze')
    .description('Freezes the clock between moves, which are then exact to the millisecond.')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock freeze')
    .action((_: object, command: Command) => freeze(true, command));
  clock
    .command('unfreeze')
    .description('Unfreezes the clock, which runs on from its frozen time.')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock unfreeze')
    .action((_: object, command: Command) => freeze(false, command));
  clock
    .command('reset')
    .description('Returns to real time and deletes all accounts, users and devices with their data.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper clock reset --yes')
    .action(reset);
}
