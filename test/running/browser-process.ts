import { test } from 'node:test';
import { keepConsole } from '../console/support/scene.ts';
import { filesOf } from './take-files.ts';

// Before the first file, so that it is closed after the last one.
await keepConsole();
// The tests of a file and its `after` belong to the test around them: its world is closed before the next file begins.
for await (const { name, path } of filesOf(process.env['TEST_BROWSER_QUEUE']))
  await test(name, async () => {
    await import(path);
  });
