import { readFileSync } from 'node:fs';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../../test/support/service-process.ts';

export const OPERATOR_KEY = 'operator-key-for-the-bench';

const peaksMb: number[] = [];

/** The service as its users start it, on a database that is there already. */
export async function startService(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: databaseUrl,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOG_LEVEL: 'warn',
    ...env,
  });
  return {
    ...service,
    async stop(signal) {
      notePeak(service);
      const code = await service.stop(signal);
      removeDataDir(service.dataDir);
      return code;
    },
  };
}

/** The most that a process has ever held, where the system tells it. Called while it is alive. */
export function notePeak({ child }: Pick<ServiceProcess, 'child'>): void {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peaksMb.push(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
  } catch {
    // Not a system with /proc: the line of memory is missing from the table.
  }
}

/** The peaks of all services that were stopped since it was last asked. */
export const takePeaksMb = (): readonly number[] => peaksMb.splice(0);
