import { readdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

/** A folder with an entry for each file that still has to run, in the order of their names. */
const queue = process.env['TEST_QUEUE'];
if (queue === undefined) throw new Error('run tests with: npm test [-- path-part …]');

const TAKEN = '.taken';

/** Several processes take files from one queue: only one of them can move an entry away. */
function takeFile(): string | undefined {
  for (;;) {
    const entry = readdirSync(queue!)
      .sort()
      .find((name) => !name.endsWith(TAKEN));
    if (entry === undefined) return undefined;
    try {
      renameSync(join(queue!, entry), join(queue!, `${entry}${TAKEN}`));
      return decodeURIComponent(entry.slice(entry.indexOf('-') + 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

// A test may wait for something that keeps no process alive by itself.
const alive = setInterval(() => {}, 60_000);
// The tests of a file and its `after` belong to the test around them: its world is closed before the next file begins.
for (let file = takeFile(); file !== undefined; file = takeFile()) {
  const path = resolve(file);
  await test(file, async () => {
    await import(path);
  });
}
clearInterval(alive);
