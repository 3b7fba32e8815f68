import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type ClusterPlace, markInitialised } from './cluster-location.ts';
import { fileError, programError } from './errors.ts';
import { syncFolder } from './files.ts';
import { draftPrefix } from './outside-home.ts';
import { superuser } from './password.ts';
import { runProgram } from './run-program.ts';
import { giveToServer, type ServerUser } from './server-user.ts';

/**
 * The cluster is made under another name and renamed when complete, so that an interrupted start leaves no
 * half of one.
 */
export async function initCluster(
  place: ClusterPlace,
  binaries: Binaries,
  password: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const draft = await mkdtemp(join(place.home, draftPrefix));
    try {
      await giveToServer(draft, place.user);
      const cluster = join(draft, 'cluster');
      const passwordFile = await writePassword(draft, password, place.user);
      await runInitdb(binaries, cluster, passwordFile, place, signal);
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

async function runInitdb(
  binaries: Binaries,
  cluster: string,
  passwordFile: string,
  place: ClusterPlace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const args = [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const result = await runProgram(binaries.initdb, args, { user: place.user, timeoutMs: 180_000, signal });
  if (result.code === 0) return;
  throw programError(`PostgreSQL could not create the database cluster ${place.clusterDir}.`, result.lines);
}
