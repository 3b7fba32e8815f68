import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A limit for requests that hang, not a measure of speed: no other response takes this long. */
const HANG_MS = 120_000;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends over a socket, so that the request arrives exactly as generated; an injected request would be tidied up first. */
export function send(port: number, { method, url, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: url,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
        agent,
        timeout: HANG_MS,
      },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        if (String(headers['content-type']).startsWith('text/event-stream')) {
          incoming.once('data', (first: Buffer) => {
            incoming.destroy();
            resolve({ status, headers, body: first.toString() });
          });
          return;
        }
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => resolve({ status, headers, body: Buffer.concat(chunks).toString() }));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer: it hangs')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const closeConnections = (): void => agent.destroy();
