import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

const READY_MS = 10_000;
/** PgBouncer does not run as root. This user owns nothing and needs nothing. */
const NOBODY = 65_534;

/** False where PgBouncer is not installed; Debian calls the package pgbouncer. */
export const poolerIsInstalled = spawnSync('pgbouncer', ['--version']).status === 0;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy() && resolve(true));
    socket.once('error', () => resolve(false));
  });

/** Debian's PgBouncer in transaction mode in front of a database, with this many connections to it. */
export async function startPooler(databaseUrl: string, serverConnections: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-pooler-'));
  chmodSync(folder, 0o755);
  const target = new URL(databaseUrl);
  const port = await freePort();
  const name = target.pathname.slice(1);
  const [user, password] = [target.username, target.password].map(decodeURIComponent);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=127.0.0.1 port=${target.port} dbname=${name} user=${user} password='${password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
`,
  );
  const unprivileged = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { ...unprivileged, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
  const until = Date.now() + READY_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`pgbouncer did not start:\n${said}`);
    await sleep(20);
  }
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
