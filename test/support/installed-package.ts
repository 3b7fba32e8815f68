import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { removeDataDir } from './service-process.ts';

const [OUTPUT_MAX, TOO_LONG_MS] = [16 * 1024 * 1024, 120_000];
export const run = promisify(execFile);
/** The folder in which the package is installed and runs. */
export const home = mkdtempSync(join(tmpdir(), 'linekeeper-package-'));
export const dataDir = join(home, '.linekeeper');
after(() => {
  removeDataDir(dataDir);
  rmSync(home, { recursive: true, force: true });
});

/** As in a separate shell: `npm test` would add this checkout's programs, including its Node. */
const PATH = process.env['PATH']!.split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter);
const FOREIGN =
  /^(npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)|NODE_(?!EXTRA_CA_CERTS)|OTEL_|LINEKEEPER_|DATABASE_)/;
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))),
  PATH,
  LINEKEEPER_PORT: '0',
};
/** With this Node first on the path, so that `#!/usr/bin/env node` finds it. */
export const optionsWith = (node: string, more: NodeJS.ProcessEnv = {}) => ({
  cwd: home,
  env: { ...env, PATH: `${dirname(node)}${delimiter}${PATH}`, ...more },
  maxBuffer: OUTPUT_MAX,
  timeout: TOO_LONG_MS,
});

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;
const QUICK = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=30000'];
export const npmInstall = (cwd: string, ...what: string[]) =>
  run('npm', ['install', ...what, '--prefix', '.', ...QUICK], { ...optionsWith(process.execPath), cwd });

/** Installs a Node from npm and returns its program. */
async function installNode(version: string): Promise<string> {
  const folder = join(home, `node-${version}`);
  mkdirSync(folder);
  const manifest = { private: true, allowScripts: { node: true }, dependencies: { node: version } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await npmInstall(folder);
  return join(folder, 'node_modules/node/bin/node');
}

/** The oldest Node that the package supports, the one of this checkout, and one that is too old. */
export type Nodes = Readonly<Record<'oldest' | 'current' | 'tooOld', string>>;

const TOO_OLD = '20.19.0';
/** `engines` has 22.13.0, but the registry lacks its program for some platforms. */
const OLDEST = '22.13.1';

/** The registry is the only external address that tests need. This is the reason to skip them if it is unreachable. */
export async function packAndInstall(): Promise<{ nodes: Nodes } | { unreachable: string }> {
  // With this checkout's programs, as npm finds them.
  await run('npm', ['pack', '--pack-destination', home], { maxBuffer: OUTPUT_MAX, timeout: TOO_LONG_MS });
  try {
    await npmInstall(home, `./${globSync('linekeeper-*.tgz', { cwd: home })[0]}`);
    const [oldest, tooOld] = [await installNode(OLDEST), await installNode(TOO_OLD)];
    return { nodes: { oldest, current: process.execPath, tooOld } };
  } catch (error) {
    const code = UNREACHABLE.exec(String((error as { stderr?: string }).stderr))?.[0];
    if (code === undefined) throw error;
    return { unreachable: `NOT TESTED, the npm registry cannot be reached: ${code}` };
  }
}

export interface Sandbox {
  readonly url: string;
  output(): string;
  /** Like Ctrl-C in a terminal: npx, its shell and the service all get the signal. */
  interrupt(): Promise<void>;
}

/** `--no`: if the package has no such command, npx must not install another package. */
export async function startWithNpx(
  t: TestContext,
  { cwd, env }: ReturnType<typeof optionsWith>,
): Promise<Sandbox> {
  const child = spawn('npx', ['--no', 'linekeeper'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  /** The pipes close when npx, the service and its database have all ended. */
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals) => {
    if (!child.stdout.closed) process.kill(-child.pid!, signal);
    await closed;
  };
  // A service left behind by a failed test would keep this process from ending.
  t.after(() => end('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const until = Date.now() + 60_000;
  for (;;) {
    const url = /^Linekeeper ready on (\S+)$/m.exec(text)?.[1];
    if (url !== undefined) return { url, output: () => text, interrupt: () => end('SIGINT') };
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the package did not get ready:\n${text}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
