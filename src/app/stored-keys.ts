import { chmod, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../embedded-postgres/index.ts';
import { makeOperatorKey } from '../features/operator/index.ts';
import { trueChance } from '../platform/chance/chance.ts';
import { ConfigError } from '../platform/config/settings.ts';
import { generateSecretKey } from '../platform/crypto/secret-box.ts';

const inDataDir = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new ConfigError(`LINEKEEPER_DATA_DIR cannot be used: ${(error as Error).message}.`, {
      cause: error,
    });
  }
};

/** Creates the folder for other files, because it may not exist if all keys are settings. */
export const ensureDataDir = (dataDir: string): Promise<unknown> => inDataDir(() => makeFolders(dataDir));

/** Created once and kept in the data folder, readable only by its owner. */
const readOrMake = (dataDir: string, name: string, make: () => string): Promise<string> =>
  inDataDir(async () => {
    const file = join(dataDir, name);
    return (await readIfThere(file)) ?? (await write(file, make()));
  });

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function write(file: string, value: string): Promise<string> {
  await makeFolders(dirname(file));
  await writeFile(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(file, 0o600);
  return value;
}

export const readOrMakeOperatorKey = (dataDir: string) =>
  readOrMake(dataDir, 'operator-key', () => makeOperatorKey(trueChance));

const SECRET_KEY = 'secret-key';

/** For a folder that has none yet. */
export const storeSecretKey = (dataDir: string, key: string): Promise<unknown> =>
  inDataDir(() => write(join(dataDir, SECRET_KEY), key));

export const readOrMakeSecretKey = (dataDir: string) => readOrMake(dataDir, SECRET_KEY, generateSecretKey);
