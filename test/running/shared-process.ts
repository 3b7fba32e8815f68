import { test } from 'node:test';
import { filesOf } from './take-files.ts';

// The tests of a file and its `after` belong to the test around them: its world is closed before the next file begins.
for await (const { name, path } of filesOf(process.env['TEST_QUEUE']))
  await test(name, async () => {
    await import(path);
  });
