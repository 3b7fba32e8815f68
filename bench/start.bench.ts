import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import type { Finding } from './support/report.ts';
import { residentMb } from './support/resident-memory.ts';
import { median, show, spread } from './support/statistics.ts';

const ROUNDS = 5;
const READY_SECONDS_MAX = 3;
const MEMORY_MB_MAX = 250;

/** From the start of the process on an existing data folder to the ready line, and what it holds when idle. */
export async function start(): Promise<Finding[]> {
  const dataDir = makeDataDir();
  const demo = { LINEKEEPER_DEMO: 'on' };
  await (await startServiceProcess(dataDir, demo)).stop();
  const seconds: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    const service = await startServiceProcess(dataDir, demo);
    seconds.push((performance.now() - before) / 1_000);
    await sleep(1_000);
    memory.push(residentMb(service.child.pid!));
    await service.stop();
  }
  removeDataDir(dataDir);
  return [
    {
      what: 'Start on an existing data folder to the ready line, s',
      ours: `${show(median(seconds))} (${spread(seconds)})`,
      against: '',
      ratio: '',
      target: `under ${READY_SECONDS_MAX}`,
      met: median(seconds) < READY_SECONDS_MAX,
    },
    {
      what: 'Resident memory when idle, without PostgreSQL, MB',
      ours: `${show(median(memory))} (${spread(memory)})`,
      against: '',
      ratio: '',
      target: `under ${MEMORY_MB_MAX}`,
      met: median(memory) < MEMORY_MB_MAX,
    },
  ];
}
