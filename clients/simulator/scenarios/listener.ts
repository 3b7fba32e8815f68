import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A listener that answers with the scenario's status. */
export interface Listener {
  readonly url: string;
  readonly received: readonly unknown[];
  /** Sets the status of its next answers. */
  answer(status: number): void;
  close(): void;
}

export async function openListener(): Promise<Listener> {
  const received: unknown[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    if (status < 300) received.push(JSON.parse(body === '' ? '{}' : body));
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    answer(next) {
      status = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
