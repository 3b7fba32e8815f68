/**
 * A stand-in for the service, as a process of its own that a test can kill: locks the folder, then starts
 * the server.
 */
import { lockDataDir, startEmbeddedPostgres } from '../index.ts';

const [dataDir = '', mode = 'serve', cacheDir = ''] = process.argv.slice(2);

function report(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

try {
  const lock = await lockDataDir(dataDir);
  if (mode === 'lock') {
    report({ locked: true });
    setInterval(() => {}, 60_000);
  } else {
    const fill = (url: string) => {
      report({ url });
      return new Promise<never>(() => {});
    };
    const preparation = mode === 'prepare' ? { folder: cacheDir, key: 'test', fill } : undefined;
    const server = await startEmbeddedPostgres({
      ...{ dataDir, settings: { fsync: 'off' } },
      ...(preparation && { preparation }),
    });
    report({ url: server.url, pid: server.pid, clusterDir: server.clusterDir });
    process.once('SIGTERM', async () => {
      await server.stop();
      await lock.release();
      process.exit(0);
    });
  }
} catch (error) {
  report({ error: error instanceof Error ? { name: error.name, message: error.message } : String(error) });
}
