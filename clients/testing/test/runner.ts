import { once } from 'node:events';
import { startSandbox } from '../index.ts';

/** Stands for a test runner: `forgets` ends without stopping its sandbox, `hangs` never ends, `stops` stops it as it should. */
const [how = 'stops', count = '1'] = process.argv.slice(2);

const sandboxes = await Promise.all(
  Array.from({ length: Number(count) }, (_, n) =>
    startSandbox({ fleet: { profiles: [{ ecpdId: `900000${n}` }] } }),
  ),
);
const urls = sandboxes.map(({ url }) => url);
const counts = await Promise.all(
  sandboxes.map(async ({ operator }) => {
    const response = await operator.open('GET /operator/v1/export');
    return ((await response.json()) as { profiles: unknown[] }).profiles;
  }),
);
process.stdout.write(`${JSON.stringify({ urls, profiles: counts })}\n`);
if (how === 'hangs') setInterval(() => {}, 1_000);
// Waits until the parent process has inspected what is running.
if (how === 'forgets') await once(process.stdin.resume(), 'end');
if (how === 'stops') await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
