import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listener that acknowledges everything as fast as it can, in a process of its own. Started by the benchmark. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`sink on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
