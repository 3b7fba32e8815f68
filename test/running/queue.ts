import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that runs one file of the queue after the other. */
export const SHARED_PROCESS = fileURLToPath(new URL('shared-process.ts', import.meta.url));

/** The same for files that look at one console. */
export const BROWSER_PROCESS = fileURLToPath(new URL('browser-process.ts', import.meta.url));

/** What processes that run several files take them from, in this order. */
export function makeQueue(folder: string, files: readonly string[]): void {
  mkdirSync(folder);
  files.forEach((file, nth) => {
    writeFileSync(join(folder, `${String(nth).padStart(5, '0')}-${encodeURIComponent(file)}`), '');
  });
}
