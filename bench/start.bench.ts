import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { alone, type Finding } from './support/report.ts';
import { notePeak, residentMb } from './support/resident-memory.ts';
import { roundsOr } from './support/rounds.ts';

const ROUNDS = roundsOr(5);
const READY_SECONDS_MAX = 3;

/** Measures from the start of the process on an existing data folder to the ready line, and its memory when idle. */
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
    await sleep(5_000);
    memory.push(residentMb(service.child.pid!));
    notePeak(service.child.pid!);
    await service.stop();
  }
  removeDataDir(dataDir);
  return [
    alone('Start on an existing data folder to the ready line, s', seconds, { atMost: READY_SECONDS_MAX }),
    alone('Resident memory of a checkout when idle, without PostgreSQL, MB', memory),
  ];
}
