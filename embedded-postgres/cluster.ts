import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type ClusterPlace, draftPrefix, markInitialised } from './cluster-location.ts';
import { EmbeddedPostgresError, fileError, programError } from './errors.ts';
import { readIfThere, syncFolder, writeFileInOneStep } from './files.ts';
import { runProgram } from './run-program.ts';
import { giveToServer, type ServerUser } from './server-user.ts';

export const superuser = 'linekeeper';
const newCluster = [
  `--username=${superuser}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

interface Initialising {
  readonly signal?: AbortSignal | undefined;
  /** False if `syncCluster` follows before the data matters. */
  readonly isSynced?: boolean;
}

/**
 * The cluster is made under another name and renamed when complete, so that an interrupted start leaves no
 * half of one.
 */
export async function initCluster(
  place: ClusterPlace,
  binaries: Binaries,
  password: string,
  { signal, isSynced = true }: Initialising = {},
): Promise<void> {
  try {
    const draft = await mkdtemp(join(place.home, draftPrefix));
    try {
      await giveToServer(draft, place.user);
      const cluster = join(draft, 'cluster');
      const passwordFile = await writePassword(draft, password, place.user);
      const options = [`--pwfile=${passwordFile}`, ...(isSynced ? [] : ['--no-sync'])];
      await runInitdb(binaries, place, [`--pgdata=${cluster}`, ...newCluster, ...options], signal);
      await rename(cluster, place.clusterDir);
      await syncFolder(place.home);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    await markInitialised(place.home);
  } catch (error) {
    throw fileError(error, `create the database cluster ${place.clusterDir}`);
  }
}

/** initdb reads the password itself, as the server's user, who cannot read the file in the data folder. */
async function writePassword(draft: string, password: string, user: ServerUser): Promise<string> {
  const path = join(draft, 'password');
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  await giveToServer(path, user);
  return path;
}

/** One call for thousands of files, if the system supports it. */
const SYNC = ['--sync-only', ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : [])];

/** Makes an unused cluster durable, so that it survives a power cut. */
export const syncCluster = (place: ClusterPlace, binaries: Binaries, signal?: AbortSignal): Promise<void> =>
  runInitdb(binaries, place, [...SYNC, `--pgdata=${place.clusterDir}`], signal);

async function runInitdb(
  binaries: Binaries,
  place: ClusterPlace,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const result = await runProgram(binaries.initdb, args, { user: place.user, timeoutMs: 180_000, signal });
  if (result.code === 0) return;
  throw programError(`PostgreSQL could not create the database cluster ${place.clusterDir}.`, result.lines);
}

export async function checkVersion(place: ClusterPlace, binaries: Binaries): Promise<void> {
  const major = (await readFile(join(place.clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (major === binaries.major) return;
  throw new EmbeddedPostgresError(
    `The database cluster ${place.clusterDir} was made by PostgreSQL ${major}, ` +
      `but this Linekeeper brings PostgreSQL ${binaries.major}, which cannot read it.`,
  );
}

/** The database for statements about other databases. */
export const maintenance = 'postgres';
/** The template of new databases. PostgreSQL's other template may be missing. */
export const pristine = 'template0';

interface Password {
  readonly value: string;
  readonly isStored: boolean;
}

export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

export async function choosePassword(dataDir: string, given: string | undefined): Promise<Password> {
  const stored = (await readIfThere(passwordFile(dataDir)))?.trim() || undefined;
  const value = given ?? stored ?? randomBytes(24).toString('base64url');
  // A line break would end the command or the file line that carries the password to PostgreSQL.
  if (value === '' || value.trim() !== value || /\p{Cc}/u.test(value)) {
    throw new EmbeddedPostgresError(
      'The database password must not be empty, begin or end with a space, or hold control characters.',
    );
  }
  return { value, isStored: value === stored };
}

export async function storePassword(dataDir: string, password: Password): Promise<void> {
  if (!password.isStored) await writeFileInOneStep(passwordFile(dataDir), `${password.value}\n`, 0o600);
}

/** Uses single-user mode, which needs no password, so that a lost password file does not lock the owner out. */
export async function changePassword(
  place: ClusterPlace,
  binaries: Binaries,
  password: Password,
): Promise<void> {
  const literal = `'${password.value.replaceAll("'", "''")}'`;
  const result = await runProgram(binaries.postgres, ['--single', '-D', place.clusterDir, maintenance], {
    user: place.user,
    timeoutMs: 120_000,
    input: `ALTER ROLE ${superuser} PASSWORD ${literal}\n`,
  });
  // A failed command does not show in the exit code of single-user mode.
  const failed = result.code !== 0 || result.lines.some((line) => /\b(ERROR|FATAL|PANIC): /.test(line));
  if (failed) throw programError('PostgreSQL could not set the database password.', result.lines);
}
