import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly dataDir: string;
  readonly operatorKey: string;
  /** Everything it has printed on both streams. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export const makeDataDir = () => mkdtempSync(join(tmpdir(), 'linekeeper-e2e-'));

/** Also removes the cluster's folder, which is elsewhere if the server's user cannot reach the data folder. */
export function removeDataDir(dataDir: string): void {
  const pointer = join(dataDir, 'cluster-location');
  const clusters = existsSync(pointer) ? [readFileSync(pointer, 'utf8').trim()] : [];
  for (const folder of [...clusters.filter((path) => path.startsWith('/')), dataDir])
    rmSync(folder, { recursive: true, force: true });
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
const START = [...scripts.start.match(/--\S+/g)!, 'src/main.ts'];

/** The whole product as a process, like `npm start`. */
export function spawnService(dataDir: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, START, {
    env: {
      ...process.env,
      LINEKEEPER_DATA_DIR: dataDir,
      LINEKEEPER_PORT: '0',
      LINEKEEPER_DEMO: 'off',
      LINEKEEPER_SIMULATOR: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return { child, output: () => text };
}

export async function startServiceProcess(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ServiceProcess> {
  const { child, output } = spawnService(dataDir, env);
  const until = Date.now() + 60_000;
  let url: string | undefined;
  while (url === undefined) {
    url = /^Linekeeper ready on (\S+)$/m.exec(output())?.[1];
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the service did not get ready:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    child,
    url,
    dataDir,
    operatorKey: env['LINEKEEPER_OPERATOR_KEY'] ?? readFileSync(join(dataDir, 'operator-key'), 'utf8').trim(),
    output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      await once(child, 'exit');
      return child.exitCode;
    },
  };
}

/** Runs it until it ends on its own, as with a wrong setting. */
export async function runToEnd(
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnService(dataDir, env);
  await once(child, 'exit');
  return { code: child.exitCode, output: output() };
}
