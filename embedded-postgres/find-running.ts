import { join, resolve } from 'node:path';
import { databaseUrl } from './database.ts';
import { readIfThere } from './files.ts';
import { passwordFile } from './password.ts';
import { isServerOf } from './process-identity.ts';

/** The line of postmaster.pid that holds the port. */
const PORT_LINE = 3;

/** Where the server of a data folder listens, if it runs: for whoever wants to read beside the service. */
export async function findRunningServer(
  folder: string,
  database = 'linekeeper',
): Promise<string | undefined> {
  const dataDir = resolve(folder);
  const home = (await readIfThere(join(dataDir, 'cluster-location')))?.trim() ?? dataDir;
  const clusterDir = join(home, 'pgdata');
  const lines = (await readIfThere(join(clusterDir, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[PORT_LINE])];
  const password = (await readIfThere(passwordFile(dataDir)))?.trim();
  if (!(pid > 0) || !(port > 0) || password === undefined || !(await isServerOf(pid, clusterDir)))
    return undefined;
  return databaseUrl(port, password, database);
}
