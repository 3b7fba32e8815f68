import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How a listener reacts to a message. */
export const MOODS = [
  'good',
  'slow',
  'refuses',
  'redirects',
  'hangs up',
  'talks nonsense',
  'is silent',
  'never ends',
] as const;
export type Mood = (typeof MOODS)[number];

export interface Heard {
  /** Account and service, from the path. */
  readonly lane: string;
  readonly id: string;
  readonly count: number;
  /** In real time. */
  readonly at: number;
  readonly text: string;
  /** Whether it was answered with a 2xx status, which makes a delivery recorded as acknowledged correct. */
  readonly acknowledged: boolean;
}

export interface MoodyListeners {
  readonly heard: Heard[];
  urlOf(accountName: string, serviceName: string): string;
  setMood(lane: string, mood: Mood): void;
  close(): void;
}

const SLOW_MS = 1_500;
const ENDLESS_PIECE = Buffer.alloc(16 * 1024, 'x');

const write = (response: ServerResponse, status: number, headers = {}) =>
  void response.writeHead(status, headers).end('so be it');

function goOnForEver(response: ServerResponse): void {
  const go = () => {
    while (!response.destroyed && response.write(ENDLESS_PIECE));
  };
  response.writeHead(200).on('drain', go);
  go();
}

const ANSWERS: Readonly<Record<Mood, (response: ServerResponse) => void>> = {
  good: (response) => write(response, 200),
  slow: (response) => void setTimeout(write, SLOW_MS, response, 200),
  refuses: (response) => write(response, 503),
  redirects: (response) => write(response, 307, { location: '/elsewhere' }),
  'hangs up': ({ socket }) => void socket?.resetAndDestroy(),
  'talks nonsense': ({ socket }) => void socket?.end('HTTP/1.1 2OO fine\r\n\0\r\ncontent-length: -1\r\n\r\n'),
  'is silent': () => {},
  'never ends': goOnForEver,
};
const ACKNOWLEDGING: readonly Mood[] = ['good', 'slow', 'never ends'];

/** All listeners of the scene at one address, each with its own path and mood. */
export async function openMoodyListeners(): Promise<MoodyListeners> {
  const heard: Heard[] = [];
  const moods = new Map<string, Mood>();
  const open = new Map<string, Set<ServerResponse>>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('error', () => {});
    response.on('error', () => {});
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const lane = decodeURIComponent(request.url ?? '').slice(1);
      const mood = moods.get(lane) ?? 'good';
      heard.push({
        lane,
        id: String(request.headers['webhook-id']),
        count: JSON.parse(text).callbackCount,
        at: Date.now(),
        text,
        acknowledged: ACKNOWLEDGING.includes(mood),
      });
      const same = open.get(lane) ?? new Set();
      open.set(lane, same.add(response));
      response.on('close', () => same.delete(response));
      ANSWERS[mood](response);
    });
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    heard,
    urlOf: (accountName, serviceName) => `${base}/${accountName}/${serviceName}`,
    setMood(lane, mood) {
      moods.set(lane, mood);
      // Drops the open responses of the previous mood, as a listener does that restarts.
      for (const response of open.get(lane) ?? []) response.destroy();
    },
    close() {
      server.close();
      // Includes sockets that the server no longer tracks because nonsense was written to them.
      for (const socket of sockets) socket.destroy();
    },
  };
}
