import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A listener in its own process that acknowledges everything as fast as it can. Under /timed it records the arrival of each
 * message; /arrivals returns these times once. Under /never it reads without answering. Under /slow/<ms> it answers after that
 * time. The benchmarks start it with the address at which it listens.
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
