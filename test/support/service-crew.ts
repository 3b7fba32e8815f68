import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, removeDataDir, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { OPERATOR_KEY, type World } from './world.ts';

export interface ServiceCrew {
  /**
   * This many processes, the oldest first. Processes that survive a test are used in the next, because each start takes
   * seconds.
   */
  have(count: number): Promise<ServiceProcess[]>;
  stop(): Promise<void>;
}

const isUp = ({ child }: ServiceProcess) => child.exitCode === null && child.signalCode === null;

/** Processes of the service on the database of a world. Remaining ones are killed when the file ends. */
export function openCrew(
  { databaseUrl }: Pick<World, 'databaseUrl'>,
  secretKey: string,
  env: NodeJS.ProcessEnv = { LINEKEEPER_ROLE: 'worker' },
): ServiceCrew {
  const dataDir = makeDataDir();
  let crew: ServiceProcess[] = [];
  const start = () =>
    startServiceProcess(dataDir, {
      DATABASE_URL: databaseUrl,
      LINEKEEPER_MODE: 'sandbox',
      LINEKEEPER_SECRET_KEY: secretKey,
      LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
      LINEKEEPER_LOG_LEVEL: 'warn',
      ...env,
    });
  after(async () => {
    await Promise.all(crew.map((member) => member.stop('SIGKILL')));
    removeDataDir(dataDir);
  });
  return {
    async have(count) {
      crew = crew.filter(isUp);
      await Promise.all(crew.splice(count).map((member) => member.stop()));
      crew.push(...(await Promise.all(Array.from({ length: count - crew.length }, start))));
      return [...crew];
    },
    async stop() {
      await Promise.all(crew.splice(0).map((member) => member.stop()));
    },
  };
}

export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  { seconds = 240, everyMs = 20 }: { seconds?: number; everyMs?: number } = {},
): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, what);
    await sleep(everyMs);
  }
}
