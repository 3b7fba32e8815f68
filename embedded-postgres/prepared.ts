import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { list, pack, unpack } from './archive.ts';
import type { Binaries } from './binaries.ts';
import { initCluster, syncCluster } from './cluster.ts';
import { type ClusterPlace, draftCluster, draftPrefix, markInitialised } from './cluster-location.ts';
import { makeFolders } from './data-folder.ts';
import { databaseUrl, ensureDatabase, slimDown } from './database.ts';
import { readIfThere, syncFolder, writeFileInOneStep } from './files.ts';
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

/** What the cluster comes with. */
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
const [ARCHIVE, SIZE] = ['pgdata.tar', 'pgdata.tar.size'];
/** Each takes some 40 MB, so those of unused versions are deleted. */
const KEPT = 3;
const DRAFT_OLD_MS = 3_600_000;
const VALID_UNTIL = '-until-';

/** Creates a cluster at its place with the content of the preparation: a copy, or the one that others are copied from. */
export async function createPrepared(place: ClusterPlace, preparing: Preparing): Promise<PreparedCluster> {
  const { preparation, binaries, user, keepsData, signal } = preparing;
  const name = [preparation.key, FORM, binaries.major, user?.uid ?? 'own'].join('-');
  const home = await mkdtemp(join(place.home, draftPrefix));
  try {
    await giveToServer(home, user);
    const draft = { home, clusterDir: join(home, draftCluster), initialised: false, user };
    const source = await findPrepared(preparation.folder, name);
    const copied = source && (await copyOrDelete(source, draft, preparing));
    const prepared = copied || (await prepare(draft, name, preparing));
    if (keepsData) await syncCluster(draft, binaries, signal);
    await rename(draft.clusterDir, place.clusterDir);
    await syncFolder(place.home);
    await markInitialised(place.home);
    return prepared;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * Undefined if it cannot be copied. If it is damaged itself, as after a power cut, the next one takes its place. A full disk
 * under the copy damages nothing that others use.
 */
async function copyOrDelete(
  source: string,
  place: ClusterPlace,
  preparing: Preparing,
): Promise<PreparedCluster | undefined> {
  try {
    return await copy(source, place, preparing);
  } catch (error) {
    preparing.signal?.throwIfAborted();
    preparing.log(`${source} cannot be copied, and is prepared again: ${(error as Error).message}`);
    await rm(place.clusterDir, { recursive: true, force: true });
    if (!(await isWhole(source, preparing.signal)))
      await rm(source, { recursive: true, force: true }).catch(() => {});
    return undefined;
  }
}

async function requireWhole(source: string): Promise<string> {
  const archive = join(source, ARCHIVE);
  // A shorter one may be an archive too.
  const size = await readFile(join(source, SIZE), 'utf8');
  if ((await stat(archive)).size !== Number(size)) throw new Error('the archive is incomplete');
  return archive;
}

async function isWhole(source: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await list(await requireWhole(source), source, signal);
    return (await readFile(join(source, 'password'), 'utf8')) !== '';
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

async function copy(
  source: string,
  { clusterDir }: ClusterPlace,
  preparing: Preparing,
): Promise<PreparedCluster> {
  const archive = await requireWhole(source);
  await mkdir(clusterDir);
  const copied = unpack(archive, clusterDir, preparing.signal);
  // The program that copies runs by now.
  preparing.waiting?.forFiles();
  await copied;
  const now = new Date();
  await utimes(source, now, now).catch(() => {});
  const password = await readFile(join(source, 'password'), 'utf8');
  return { password, note: (await readIfThere(join(source, 'note'))) ?? undefined };
}

const isValid = (name: string): boolean => {
  const [, validUntil] = name.split(VALID_UNTIL);
  return validUntil === undefined || Date.now() < Number(validUntil);
};

/** Undefined if there is no valid one that can be read. A folder with its final name is always complete. */
async function findPrepared(folder: string, name: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const found = names.find((each) => each.split(VALID_UNTIL)[0] === name && isValid(each));
  return found && join(folder, found);
}

async function prepare(place: ClusterPlace, name: string, preparing: Preparing): Promise<PreparedCluster> {
  const { preparation, log, signal } = preparing;
  const password = randomBytes(24).toString('base64url');
  const { note, validUntil } = await fillNew(place, password, preparing);
  const source = join(preparation.folder, validUntil ? `${name}${VALID_UNTIL}${validUntil.getTime()}` : name);
  try {
    await keep(place.clusterDir, source, { password, note }, signal);
  } catch (error) {
    signal?.throwIfAborted();
    log(`the cluster cannot be kept in ${preparation.folder} for copies: ${(error as Error).message}`);
  }
  return { password, note };
}

async function keep(
  clusterDir: string,
  source: string,
  { password, note }: PreparedCluster,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = dirname(source);
  await makeFolders(folder);
  const draft = await mkdtemp(join(folder, DRAFT));
  try {
    const archive = join(draft, ARCHIVE);
    await pack(clusterDir, archive, signal);
    await writeFileInOneStep(join(draft, SIZE), String((await stat(archive)).size), 0o600);
    await writeFileInOneStep(join(draft, 'password'), password, 0o600);
    if (note !== undefined) await writeFileInOneStep(join(draft, 'note'), note, 0o600);
    await rename(draft, source).catch((error: unknown) => {
      // Another process was faster.
      if (!existsSync(source)) throw error;
    });
    await syncFolder(folder);
    await removeOld(folder, source).catch(() => {});
  } finally {
    await rm(draft, { recursive: true, force: true });
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
