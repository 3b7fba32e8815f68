import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Register } from './register.ts';

/** Failures of a register; it has recovered when the promise resolves. */
const TROUBLES: readonly ((register: Register, random: SeededRandom) => Promise<string>)[] = [
  async (register, random) => {
    const downMs = random.pick([0, random.between(500, 3_000)]);
    await register.kill();
    await sleep(downMs);
    await register.start();
    return `was killed, and started again after ${downMs} ms`;
  },
  async (register, random) => {
    // Sometimes longer than any caller waits for a response.
    const stillMs = random.between(500, 5_000);
    register.stop();
    await sleep(stillMs);
    register.goOn();
    return `stood still for ${stillMs} ms`;
  },
];

/** Makes registers fail again and again, one at a time, until the test is over or `times` failures have happened. */
export async function makeTrouble(
  registers: readonly Register[],
  random: SeededRandom,
  { times, isOver, tell }: { times: number; isOver: () => boolean; tell: (what: string) => void },
): Promise<void> {
  for (let n = 0; n < times && !isOver(); n++) {
    await sleep(random.between(100, 1_000));
    const register = random.pick(registers);
    tell(`register ${1 + registers.indexOf(register)} ${await random.pick(TROUBLES)(register, random)}`);
  }
}
