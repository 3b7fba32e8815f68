import net from 'node:net';

export interface Proxy {
  readonly url: string;
  /** Behaves like a suspended server: accepts connections, but answers nothing. */
  hang(): void;
  resume(): void;
  /** Behaves like a machine that is gone: nothing reaches it, and ends of connections are not reported. */
  vanish(): void;
  /** Vanishes when this text is sent. */
  vanishOn(text: string): void;
  /** Answers nothing more on a connection after this text is sent on it. */
  hangOn(text: string | undefined): void;
  /** Drops everything that contains this text. */
  drop(text: string): void;
  countOpen(): number;
  /** Of all connections so far. */
  countTried(): number;
  /** Connections on which nothing more is answered, so far. */
  countHung(): number;
  close(): Promise<void>;
}

/** Between a client and the database, where a test can make the database hang. */
export async function openProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const sockets = new Map<net.Socket, net.Socket>();
  let [tried, hung] = [0, 0];
  let hanging = false;
  let vanished = false;
  let trigger: string | undefined;
  let last: string | undefined;
  let dropped: string | undefined;
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    let silent = false;
    tried++;
    sockets.set(client, upstream);
    if (hanging) upstream.pause();
    client.on('data', (chunk) => {
      if (last !== undefined && chunk.includes(last)) vanished = true;
      if (vanished || (dropped !== undefined && chunk.includes(dropped))) return;
      if (!silent && trigger !== undefined && chunk.includes(trigger)) {
        silent = true;
        hung++;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => silent || client.write(chunk));
    client.on('end', () => vanished || client.end());
    client.on('close', () => {
      sockets.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => vanished || client.destroy());
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return {
    url: url.href,
    hang() {
      hanging = true;
      for (const upstream of sockets.values()) upstream.pause();
    },
    resume() {
      hanging = false;
      for (const upstream of sockets.values()) upstream.resume();
    },
    vanish() {
      vanished = true;
    },
    vanishOn: (text) => {
      last = text;
    },
    hangOn: (text) => {
      trigger = text;
    },
    drop: (text) => {
      dropped = text;
    },
    countOpen: () => sockets.size,
    countTried: () => tried,
    countHung: () => hung,
    async close() {
      for (const socket of sockets.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
