import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../clients/console/build.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';

const HELP = `npm test                       runs everything
npm test -- sessions audit     only the files whose path has one of the words
npm test -- --rounds=20 faults each fault that often, at random moments (5)
npm run faults                 the same with 50, which takes about half an hour
Other options go to node --test.
`;
if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
  process.exit(0);
}
const MINUTE_MS = 60_000;
const write = process.argv.includes('--write');
const rounds = process.argv.find((argument) => argument.startsWith('--rounds='))?.slice('--rounds='.length);
const flags = process.argv.slice(2).filter((argument) => /^--(?!write$|rounds=)/.test(argument));
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = globSync(['src/**/*.test.ts', 'clients/**/*.test.ts', 'test/**/*.test.ts'])
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  console.error('no test file has that in its path');
  process.exit(2);
}

// Once, before files that need it run beside each other.
if (files.some((file) => file.startsWith(join('test', 'console')))) await buildIfStale();

const dataDir = mkdtempSync(join(tmpdir(), 'linekeeper-test-'));
// The server's user must be able to enter it when this runs as root.
chmodSync(dataDir, 0o755);
const lock = await lockDataDir(dataDir);
// Nothing here must survive a power failure; durability is tested on servers of its own.
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
});

const concurrency = Math.max(2, availableParallelism());
const child = spawn(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${Math.max(3, Number(rounds ?? 0)) * MINUTE_MS}`,
    ...flags,
    ...files,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_DATABASE_SERVER: postgres.url,
      ...(write && { WRITE_GENERATED: 'on' }),
      ...(rounds !== undefined && { FAULT_ROUNDS: rounds }),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
await postgres.stop();
await lock.release();
rmSync(dataDir, { recursive: true, force: true });
process.exit(code);
