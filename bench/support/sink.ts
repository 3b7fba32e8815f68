import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A listener that acknowledges everything as fast as it can, in a process of its own. Under /timed it notes when each
 * message arrived, to be fetched once from /arrivals; under /never it reads and does not answer; under /slow/<ms> it takes that
 * long. Started by the benchmarks, which say at which address it listens.
 */
const [host = '127.0.0.1'] = process.argv.slice(2);
let arrivals: Record<string, number> = {};
const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (url.startsWith('/timed'))
    arrivals[String(request.headers['webhook-id'])] = performance.timeOrigin + performance.now();
  if (url === '/arrivals') {
    response.end(JSON.stringify(arrivals));
    arrivals = {};
    return;
  }
  request.resume();
  if (url.startsWith('/never')) return;
  const [, slowMs] = /^\/slow\/(\d+)/.exec(url) ?? [];
  request.on('end', () => {
    if (slowMs === undefined) response.end();
    else setTimeout(() => response.end(), Number(slowMs));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, host, () => {
  process.stdout.write(`sink on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
