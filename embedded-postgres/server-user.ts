import { chown, readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError, fileError } from './errors.ts';

/** The user that PostgreSQL runs as; null for the user of this process. */
export type ServerUser = { readonly uid: number; readonly gid: number; readonly name: string } | null;

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** PostgreSQL refuses to run as root, so root picks an unprivileged user for a new cluster. */
export async function chooseServerUser(dataDir: string): Promise<ServerUser> {
  if (!isRoot()) return null;
  const users = await readUsers();
  const owner = (await stat(dataDir)).uid;
  const chosen =
    // initdb requires a user with a name, which an owner from outside a container may lack.
    (owner === 0 ? undefined : users.find((user) => user.uid === owner)) ??
    users.find((user) => user.name === 'postgres' || user.name === '_postgres') ??
    users.find((user) => user.name === 'nobody');
  if (chosen !== undefined && chosen.uid !== 0) return chosen;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody" ' +
      'to run it as: start Linekeeper as an ordinary user, or create such a user.',
  );
}

/** PostgreSQL runs only as the owner of its cluster, so an existing cluster decides who that is. */
export async function ownerOfCluster(clusterDir: string): Promise<ServerUser> {
  const { uid, gid } = await stat(clusterDir).catch((error: unknown) => {
    throw fileError(error, `reach the database cluster ${clusterDir}`);
  });
  const self = process.geteuid?.();
  if (self === undefined || (self !== 0 && self === uid)) return null;
  if (self !== 0) {
    throw new EmbeddedPostgresError(
      `The database cluster ${clusterDir} belongs to uid ${uid}, but Linekeeper runs as uid ${self}: ` +
        'start it as the owner of the cluster or as root.',
    );
  }
  if (uid === 0) {
    throw new EmbeddedPostgresError(
      `The database cluster ${clusterDir} belongs to root, and PostgreSQL does not run as root: ` +
        'give this folder with all it holds to an unprivileged user.',
    );
  }
  const known = (await readUsers()).find((user) => user.uid === uid);
  return known ?? { uid, gid, name: `uid ${uid}` };
}

export async function giveToServer(path: string, user: ServerUser): Promise<void> {
  if (user !== null) await chown(path, user.uid, user.gid);
}

async function readUsers(): Promise<NonNullable<ServerUser>[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    if (name === '' || name.startsWith('#') || !/^-?\d+$/.test(uid) || !/^-?\d+$/.test(gid)) return [];
    // macOS writes the ids of "nobody" as -2, where stat and chown speak of 4294967294.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
