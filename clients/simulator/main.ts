import { createOperatorClient } from '../sdk/index.ts';
import { createDriver } from './driver.ts';
import { readMemory, saveMemory } from './memory.ts';
import type { Asked, Report } from './messages.ts';
import { createPace } from './pace.ts';

const setting = (name: string): string => {
  const value = process.env[`LINEKEEPER_${name}`];
  if (value === undefined) throw new Error(`LINEKEEPER_${name} is missing: the service starts the simulator`);
  return value;
};
const report = (message: Report): void => void process.send?.(message);
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const file = setting('SIMULATOR_MEMORY');
const operator = createOperatorClient({ baseUrl: setting('URL'), operatorKey: setting('OPERATOR_KEY') });
const pace = createPace((behindMs) => report({ behindMs }));
const driving = readMemory(file).then((memory) =>
  createDriver({
    operator,
    seed: setting('SIMULATOR_SEED'),
    memory,
    save: (next) => saveMemory(file, next),
    atATime: Number(setting('SIMULATOR_AT_A_TIME')),
    speed: pace.speed,
  }),
);
pace.set(Number(setting('SIMULATOR_SPEED')));

let turn: Promise<unknown> = Promise.resolve();

/** A tick that its caller has given up on may still be running. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = turn.catch(() => {}).then(work);
  turn = next;
  return next;
}

async function answer(asked: Asked): Promise<object> {
  if ('tick' in asked) {
    const { until, passing, since, next, changed } = asked.tick;
    return inTurn(async () =>
      (await driving).tick({
        ...{ until: new Date(until), passing, ...(changed && { changed }) },
        ...(since && { since: new Date(since) }),
        ...(next && { next: new Date(next) }),
      }),
    );
  }
  if ('skip' in asked) await inTurn(async () => (await driving).skip(new Date(asked.skip.until)));
  else pace.set(asked.speed);
  return {};
}

process.on('message', (asked: Asked) => {
  answer(asked).then(
    (done) => report({ nr: asked.nr, done }),
    (error: unknown) => report({ nr: asked.nr, failed: wordsOf(error) }),
  );
});
// Ends only with its parent process, because a keyboard interrupt reaches both.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});
void driving.then(() => report({ ready: true }));
