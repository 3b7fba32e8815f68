import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Register } from './register.ts';

/** What can happen to a register; it is well again when the promise resolves. */
const TROUBLES: readonly ((register: Register, random: SeededRandom) => Promise<string>)[] = [
  async (register, random) => {
    const downMs = random.pick([0, random.between(500, 3_000)]);
    await register.kill();
    await sleep(downMs);
    await register.start();
    return `was killed, and started again after ${downMs} ms`;
  },
  async (register, random) => {
    // Sometimes longer than anybody waits for an answer.
    const stillMs = random.between(500, 5_000);
    register.stop();
    await sleep(stillMs);
    register.goOn();
    return `stood still for ${stillMs} ms`;
  },
];

/** Registers get into trouble again and again, one at a time, until it is over or they had enough of it. */
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
