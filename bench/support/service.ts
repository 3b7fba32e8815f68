import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../../test/support/service-process.ts';
import { notePeak } from './resident-memory.ts';

export const OPERATOR_KEY = 'operator-key-for-the-bench';

/** The service as users start it, on an existing database. */
export async function startService(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: databaseUrl,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOG_LEVEL: 'warn',
    // As in production, but without the request log, whose cost is measured separately.
    LINEKEEPER_REQUEST_LOG: '0',
    ...env,
  });
  return {
    ...service,
    async stop(signal) {
      notePeak(service.child.pid!);
      const code = await service.stop(signal);
      removeDataDir(service.dataDir);
      return code;
    },
  };
}
