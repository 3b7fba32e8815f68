import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** An unused loopback address, for programs whose ports cannot be chosen. Any of 127.0.0.0/8 works. */
export async function freeLoopback(ports: readonly number[]): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const octet = () => 1 + Math.floor(Math.random() * 250);
    const host = `127.${octet()}.${octet()}.${octet()}`;
    const free = await Promise.all(ports.map((port) => canListen(host, port)));
    if (free.every(Boolean)) return host;
  }
  throw new Error('no loopback address is free');
}

function canListen(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, host, () => server.close(() => resolve(true)));
  return promise;
}

export async function freeUdpPort(host: string): Promise<number> {
  const socket = createSocket('udp4');
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.bind(0, host, resolve);
  await promise;
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Resolves when a program accepts connections there. */
export async function untilListening(host: string, port: number, limitMs = 60_000): Promise<void> {
  const until = performance.now() + limitMs;
  while (performance.now() < until) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect({ host, port }, () => resolve(true));
    socket.once('error', () => resolve(false));
    const isOpen = await promise;
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on ${host}:${port}`);
}
