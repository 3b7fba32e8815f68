import { access, chmod, constants, mkdir, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EmbeddedPostgresError, errorCode, fileError } from './errors.ts';
import { isRoot } from './server-user.ts';

/** Makes sure of a data folder that this process can use, and gives its path free of symbolic links. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  await createIfMissing(path);
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw fileError(error, `read and write the data folder ${path}`);
  }
}

async function createIfMissing(path: string): Promise<void> {
  try {
    const created = await mkdir(path, { recursive: true });
    if (created === undefined) return;
    // Under root the server runs as another user, who has to pass through these folders but not to list them.
    if (isRoot()) for (const folder of foldersBetween(path, created)) await chmod(folder, 0o711);
    else await chmod(path, 0o700);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw new EmbeddedPostgresError(`The data folder ${path} is not a folder.`, { cause: error });
    }
    throw fileError(error, `create the data folder ${path}`);
  }
}

function foldersBetween(lowest: string, highest: string): string[] {
  return lowest.length <= highest.length ? [lowest] : [lowest, ...foldersBetween(dirname(lowest), highest)];
}
