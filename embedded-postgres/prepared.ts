import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Binaries } from './binaries.ts';
import { initCluster, syncCluster } from './cluster.ts';
import { type ClusterPlace, draftPrefix, markInitialised } from './cluster-location.ts';
import { makeFolders } from './data-folder.ts';
import { databaseUrl, ensureDatabase, slimDown } from './database.ts';
import { errorCode, programError } from './errors.ts';
import { readIfThere, syncFolder, writeFileInOneStep } from './files.ts';
import { runProgram } from './run-program.ts';
import { launchReady } from './server-process.ts';
import { giveToServer, type ServerUser } from './server-user.ts';

/** The initial content of new clusters, which is created once and then copied. */
export interface Preparation {
  /** The folder of prepared clusters. It may be emptied at any time. */
  readonly folder: string;
  /** A name for the database's content; different content needs another name. */
  readonly key: string;
  /** Fills the database. */
  fill(url: string): Promise<Filled>;
}

interface Filled {
  /** Stored next to the prepared cluster; every start on a copy gets it. */
  readonly note?: string;
  /** From this time on the cluster is prepared again. */
  readonly validUntil?: Date;
}

/** What a copy comes with. */
export interface PreparedCluster {
  readonly password: string;
  readonly note: string | undefined;
}

/** Called while the start only waits, so that the caller can do other work. */
export interface Waiting {
  /** For files to be copied or made. */
  forFiles(): void;
  /** For the server to answer. If another program takes its port, it is called again with the next one. */
  forServer(coming: ComingServer): void;
}

export interface ComingServer {
  readonly url: string;
  /** The cluster is new, with the content of the preparation. */
  readonly isPrepared: boolean;
  /** The note of the prepared cluster, if this one is a copy. */
  readonly note: string | undefined;
}

interface Preparing {
  readonly preparation: Preparation;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly database: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly keepsData: boolean;
  readonly waiting: Waiting | undefined;
}

const DRAFT = 'draft-';
/** The version of this module's format; a version with another format does not copy its clusters. */
const FORM = 'archive';
const ARCHIVE = 'pgdata.tar';
/** Each takes some 40 MB, so those of unused versions are deleted. */
const KEPT = 3;
const DRAFT_OLD_MS = 3_600_000;
const COPY_MAX_MS = 180_000;
/** Of 512 bytes, in one read or write. */
const BLOCKS = '512';
/** Holes take no space, and a colon in the name of an archive does not mean another machine. */
const OF_GNU_TAR = process.platform === 'linux' ? ['--sparse', '--force-local'] : [];

const VALID_UNTIL = '-until-';

/** Copies the prepared cluster to its place. */
export async function copyPrepared(place: ClusterPlace, preparing: Preparing): Promise<PreparedCluster> {
  const { preparation, binaries, user, keepsData, signal } = preparing;
  const name = [preparation.key, FORM, binaries.major, user?.uid ?? 'own'].join('-');
  const source = (await findPrepared(preparation.folder, name)) ?? (await prepare(name, preparing));
  const draft = await mkdtemp(join(place.home, draftPrefix));
  try {
    const copy = join(draft, 'cluster');
    await mkdir(copy);
    const copied = unpack(join(source, ARCHIVE), copy, signal);
    // The program that copies runs by now.
    preparing.waiting?.forFiles();
    await copied;
    if (keepsData) {
      await giveToServer(draft, user);
      await syncCluster({ ...place, clusterDir: copy }, binaries, signal);
    }
    await rename(copy, place.clusterDir);
    await syncFolder(place.home);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await markInitialised(place.home);
  const now = new Date();
  await utimes(source, now, now).catch(() => {});
  const password = await readFile(join(source, 'password'), 'utf8');
  return { password, note: (await readIfThere(join(source, 'note'))) ?? undefined };
}

const isValid = (name: string): boolean => {
  const [, validUntil] = name.split(VALID_UNTIL);
  return validUntil === undefined || Date.now() < Number(validUntil);
};

/** Undefined if no valid one is prepared yet. A folder with its final name is always complete. */
async function findPrepared(folder: string, name: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const found = names.find((each) => each.split(VALID_UNTIL)[0] === name && isValid(each));
  return found && join(folder, found);
}

/** Returns the folder of the prepared cluster. */
async function prepare(name: string, preparing: Preparing): Promise<string> {
  const { preparation, user } = preparing;
  const { folder } = preparation;
  await makeFolders(folder);
  const password = randomBytes(24).toString('base64url');
  const draft = await mkdtemp(join(folder, DRAFT));
  try {
    await giveToServer(draft, user);
    const place = { home: draft, clusterDir: join(draft, 'pgdata'), initialised: false, user };
    const { note, validUntil } = await fillNew(place, password, preparing);
    await pack(place.clusterDir, join(draft, ARCHIVE), preparing.signal);
    await rm(place.clusterDir, { recursive: true });
    await writeFileInOneStep(join(draft, 'password'), password, 0o600);
    if (note !== undefined) await writeFileInOneStep(join(draft, 'note'), note, 0o600);
    const source = join(folder, validUntil ? `${name}${VALID_UNTIL}${validUntil.getTime()}` : name);
    await rename(draft, source);
    await syncFolder(folder);
    await removeOld(folder, source).catch(() => {});
    return source;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster.
    const source = await findPrepared(folder, name);
    if (source === undefined) throw error;
    return source;
  }
}

async function fillNew(
  place: ClusterPlace,
  password: string,
  { preparation, binaries, database, log, signal, waiting }: Preparing,
): Promise<Filled> {
  const made = initCluster(place, binaries, password, { signal, isSynced: false });
  waiting?.forFiles();
  await made;
  // The cluster is used only when complete, so it needs no protection against crashes. No log file is
  // recycled.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', wal_recycle: 'off' };
  const { server, port } = await launchReady(binaries, place, { settings, log, signal });
  try {
    await ensureDatabase(port, password, database);
    const filled = await preparation.fill(databaseUrl(port, password, database));
    await slimDown(port, password);
    return filled;
  } finally {
    await server.stop();
  }
}

/** Thousands of files are unpacked in half the time that a copy of their folder takes. */
const unpack = (archive: string, folder: string, signal: AbortSignal | undefined): Promise<void> =>
  runTar(['-xpm', '--numeric-owner'], archive, folder, signal);

async function pack(folder: string, archive: string, signal: AbortSignal | undefined): Promise<void> {
  await runTar(['-c', '--numeric-owner'], archive, folder, signal, '.');
  const file = await open(archive, 'r+');
  await file.sync().finally(() => file.close());
}

async function runTar(
  options: readonly string[],
  archive: string,
  folder: string,
  signal: AbortSignal | undefined,
  ...members: readonly string[]
): Promise<void> {
  const places = ['-b', BLOCKS, '-f', resolve(archive), '-C', resolve(folder)];
  const { code, lines } = await runProgram('tar', [...OF_GNU_TAR, ...options, ...places, ...members], {
    user: null,
    timeoutMs: COPY_MAX_MS,
    signal,
  });
  if (code !== 0) throw programError(`The archive ${archive} could not be used.`, lines);
}

async function removeOld(folder: string, kept: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs: usedAt } = await stat(path);
      return { path, isDraft: name.startsWith(DRAFT), usedAt: isValid(name) ? usedAt : 0 };
    }),
  );
  const whole = entries.filter(({ path, isDraft }) => !isDraft && path !== kept);
  const outdated = whole.sort((a, b) => b.usedAt - a.usedAt).slice(KEPT - 1);
  const abandoned = entries.filter(({ isDraft, usedAt }) => isDraft && usedAt < Date.now() - DRAFT_OLD_MS);
  for (const { path } of [...outdated, ...abandoned]) await rm(path, { recursive: true, force: true });
}
