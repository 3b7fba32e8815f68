import { access, chmod, constants, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DataFolderError, errorCode, fileSentence } from './errors.ts';
import { makeFolders } from './make-folders.ts';
import { isRoot } from './server-user.ts';

/** Makes sure of a data folder that this process can use, and gives its path free of symbolic links. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  await createIfMissing(path);
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new DataFolderError(fileSentence(error, `read and write the data folder ${path}`), {
      cause: error,
    });
  }
}

async function createIfMissing(path: string): Promise<void> {
  try {
    const made = await makeFolders(path);
    if (made.length === 0) return;
    // Under root the server runs as another user, who has to pass through these folders but not to list them.
    if (isRoot()) for (const folder of made) await chmod(folder, 0o711);
    else await chmod(path, 0o700);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw new DataFolderError(`The data folder ${path} is not a folder.`, { cause: error });
    }
    throw new DataFolderError(fileSentence(error, `create the data folder ${path}`), { cause: error });
  }
}
