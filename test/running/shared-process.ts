import { test } from 'node:test';
import { openCoverage } from '../mutation/note-coverage.ts';
import { filesOf } from './take-files.ts';

// The tests of a file and its `after` belong to the test around them: its world is closed before the next file begins.
const coverage = await openCoverage();
for await (const { name, path } of filesOf(process.env['TEST_QUEUE'])) {
  const startedMs = Date.now();
  await test(name, async () => {
    await import(path);
  });
  await coverage?.note(name, Date.now() - startedMs);
}
