import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** What the service needs to know about it. */
  readonly env: Readonly<Record<string, string>>;
  /** The service deletes it at its end: this is for one that did not come so far. */
  remove(): Promise<void>;
}

/** A data folder that goes with its service. By its name and its mark the next service finds it, should this one be killed. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'linekeeper-sandbox-'));
  // PostgreSQL does not run as root: the user it runs as then has to pass through here.
  if (process.geteuid?.() === 0) await chmod(path, 0o711);
  await writeFile(join(path, 'temporary'), '');
  return {
    path,
    env: { LINEKEEPER_DATA_DIR: path, LINEKEEPER_TEMPORARY: 'on' },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
