import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, and gives the ones it made, the highest first. Not with
 * `recursive`: that tries for ever where the system says ENOENT below a folder that is there, as in /proc.
 */
export async function makeFolders(path: string): Promise<string[]> {
  const made: string[] = [];
  for (const folder of await missingOf(resolve(path))) if (await make(folder)) made.push(folder);
  return made;
}

async function missingOf(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = path; !(await isThere(folder)); folder = dirname(folder)) missing.unshift(folder);
  return missing.length === 0 ? [path] : missing;
}

/** The root is always there. */
async function isThere(folder: string): Promise<boolean> {
  if (folder === dirname(folder)) return true;
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** It may have been there, or somebody else made it meanwhile. */
async function make(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}
