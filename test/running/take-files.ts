import { readdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';

const TAKEN = '.taken';

/** Several processes take files from one queue: only one of them can move an entry away. */
function takeFile(queue: string): string | undefined {
  for (;;) {
    const entry = readdirSync(queue)
      .sort()
      .find((name) => !name.endsWith(TAKEN));
    if (entry === undefined) return undefined;
    try {
      renameSync(join(queue, entry), join(queue, `${entry}${TAKEN}`));
      return decodeURIComponent(entry.slice(entry.indexOf('-') + 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** One file after the other of a folder with an entry for each that still has to run, in the order of their names. */
export async function* filesOf(queue: string | undefined): AsyncGenerator<{ name: string; path: string }> {
  if (queue === undefined) throw new Error('run tests with: npm test [-- path-part …]');
  // A test may wait for something that keeps no process alive by itself.
  const alive = setInterval(() => {}, 60_000);
  for (let name = takeFile(queue); name !== undefined; name = takeFile(queue))
    yield { name, path: resolve(name) };
  clearInterval(alive);
}
