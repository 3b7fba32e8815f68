import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeQueue, SHARED_PROCESS } from '../running/queue.ts';
import { KEPT } from '../running/server.ts';

const MISTAKE = fileURLToPath(new URL('mistake.ts', import.meta.url));
const DRAW_FROM_SEED = fileURLToPath(new URL('../running/draw-from-seed.ts', import.meta.url));
/** A mistake may make the service wait for ever. */
const SILENT_MS = 120_000;

/** Runs files of tests in one process, until the first fails; whether all passed. */
export async function runFiles(files: readonly string[], more: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-queue-'));
  const queue = join(folder, 'queue');
  makeQueue(queue, files);
  const child = spawn(
    process.execPath,
    [
      ...[DRAW_FROM_SEED, ...(more['TEST_MUTANT'] === undefined ? [] : [MISTAKE])].map(
        (path) => `--import=${path}`,
      ),
      '--test-reporter=tap',
      SHARED_PROCESS,
    ],
    {
      env: { ...process.env, ...more, TEST_QUEUE: queue, NODE_COMPILE_CACHE: join(KEPT, 'compiled') },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let silence = setTimeout(() => child.kill('SIGKILL'), SILENT_MS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    clearTimeout(silence);
    silence = setTimeout(() => child.kill('SIGKILL'), SILENT_MS);
    if (/^\s*not ok /m.test(text)) child.kill('SIGKILL');
  });
  await once(child, 'close');
  clearTimeout(silence);
  rmSync(folder, { recursive: true });
  return child.exitCode === 0;
}
