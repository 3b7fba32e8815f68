import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const BIN = fileURLToPath(new URL('../../../bin/linekeeper.js', import.meta.url));
const TOO_LONG_MS = 180_000;

/** The environment without a developer's settings for their own service. */
export function cleanEnv(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const foreign = (name: string) => name.startsWith('LINEKEEPER_') || name === 'DATABASE_URL';
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign(name))),
    ...more,
  };
}

interface Spawned {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface SpawnHow {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** The program and its first arguments. */
  readonly program?: readonly [string, ...string[]];
  readonly timeoutMs?: number;
}

/** Runs the command line as a shell does. A process costs much more than `runCli`: use it only where one is needed. */
export async function spawnCli(
  args: readonly string[],
  { env = {}, input = '', program = [process.execPath, BIN], timeoutMs = TOO_LONG_MS }: SpawnHow = {},
): Promise<Spawned> {
  const [file, ...first] = program;
  const child = spawn(file, [...first, ...args], { env: cleanEnv(env), timeout: timeoutMs });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  const [code, out, err] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}
