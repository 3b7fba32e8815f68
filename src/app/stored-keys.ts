import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOperatorKey } from '../features/operator/index.ts';
import { generateSecretKey } from '../platform/crypto/secret-box.ts';

/** Made once and kept in the data folder, readable by its owner only. */
async function readOrMake(dataDir: string, name: string, make: () => string): Promise<string> {
  const file = join(dataDir, name);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const value = make();
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(file, 0o600);
  return value;
}

export const readOrMakeOperatorKey = (dataDir: string) =>
  readOrMake(dataDir, 'operator-key', makeOperatorKey);

export const readOrMakeSecretKey = (dataDir: string) => readOrMake(dataDir, 'secret-key', generateSecretKey);
