import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode, fileError } from './errors.ts';
import { removeLeftovers } from './files.ts';

export function stagedPath(home: string, version: string): string {
  return join(home, `postgres-binaries-${version}`);
}

/**
 * Copies the package's programs so that every user can run them; the copy appears under its name when
 * complete.
 */
export async function stageBinaries(packageDir: string, copyDir: string): Promise<void> {
  const draftPrefix = `${basename(copyDir)}.copy-`;
  try {
    await removeLeftovers(dirname(copyDir), draftPrefix);
    const draft = await mkdtemp(join(dirname(copyDir), draftPrefix));
    try {
      await copyFolder(join(packageDir, 'native'), draft);
      await createLinks(packageDir, draft);
      await rename(draft, copyDir);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw fileError(error, `copy the PostgreSQL programs to ${copyDir}`);
  }
}

/** Sets the modes itself, because a strict umask at install time may have closed the originals to others. */
async function copyFolder(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyFolder(source, target);
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, 0o755);
    }
  }
}

/**
 * The package lists its links in a file, since npm packages cannot hold any; its install script makes them.
 */
async function createLinks(packageDir: string, copyDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch((error) => {
    if (errorCode(error) === 'ENOENT') return '[]';
    throw error;
  });
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(copyDir, relative('native', target));
    await symlink(relative(dirname(target), source), link);
  }
}
