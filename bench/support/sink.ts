import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A listener that acknowledges everything as fast as it can, in a process of its own. Under /timed it notes when each
 * message arrived, to be fetched once from /arrivals; under /never it reads and does not answer. Started by the benchmarks.
 */
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
  if (!url.startsWith('/never')) request.on('end', () => response.end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`sink on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
