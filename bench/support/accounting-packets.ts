import { createSocket, type Socket } from 'node:dgram';
import { writeRequest } from '../../src/adapters/radius/authenticators.ts';
import { attribute } from '../../src/adapters/radius/packet.ts';

export const SECRET = 'bench-secret';
export const NAS = 'bench';
const SOCKETS = 8;
/** Limit of unanswered packets of one socket, because it has a limited number of identifiers. */
const WAITING_MAX = 200;
const AGAIN_MS = 10_000;

export const benchImsi = (n: number): string => `00101${String(n).padStart(10, '0')}`;

/** An interim report of a session at this step, the same for both sides. */
const packetOf = (session: number, step: number, identifier: number, at: Date): Buffer =>
  writeRequest({
    code: 'Accounting-Request',
    identifier,
    secret: SECRET,
    attributes: [
      attribute('Acct-Status-Type', 3),
      attribute('NAS-Identifier', NAS),
      attribute('Acct-Session-Id', String(session)),
      attribute('3GPP-IMSI', benchImsi(session)),
      attribute('Called-Station-Id', 'iot.apn'),
      attribute('3GPP-SGSN-MCC-MNC', '310410'),
      attribute('Acct-Input-Octets', step * 1_000),
      attribute('Acct-Output-Octets', step * 100),
      attribute('Event-Timestamp', at),
    ],
  });

/** Sends the packets of one socket, at most WAITING_MAX at a time, and repeats each until it is answered. */
function sendAll(socket: Socket, packets: readonly Buffer[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = new Map<number, { readonly octets: Buffer; sentMs: number }>();
  let next = 0;
  let answered = 0;
  const fill = () => {
    while (waiting.size < WAITING_MAX && next < packets.length) {
      const octets = packets[next]!;
      if (waiting.has(octets[1]!)) break;
      waiting.set(octets[1]!, { octets, sentMs: performance.now() });
      socket.send(octets);
      next++;
    }
  };
  socket.on('message', ([, identifier]) => {
    if (!waiting.delete(identifier!)) return;
    answered++;
    if (answered === packets.length) resolve();
    else fill();
  });
  const again = setInterval(() => {
    const before = performance.now() - AGAIN_MS;
    for (const one of waiting.values())
      if (one.sentMs < before) {
        one.sentMs = performance.now();
        socket.send(one.octets);
      }
  }, 200);
  fill();
  return promise.finally(() => clearInterval(again));
}

/** Packets received, stored and answered per second. Only the sending is timed. */
export async function accountingRate(port: number, sessions: number, steps: number): Promise<number> {
  const at = new Date();
  const shares = Array.from({ length: SOCKETS }, (_, share) => {
    const packets: Buffer[] = [];
    for (let step = 1; step <= steps; step++)
      for (let session = share; session < sessions; session += SOCKETS)
        packets.push(packetOf(session, step, packets.length % 256, at));
    return packets;
  });
  const sockets = await Promise.all(
    shares.map(async () => {
      const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
      await new Promise<void>((resolve) => socket.connect(port, '127.0.0.1', () => resolve()));
      return socket;
    }),
  );
  const before = performance.now();
  await Promise.all(shares.map((packets, n) => sendAll(sockets[n]!, packets)));
  const seconds = (performance.now() - before) / 1_000;
  for (const socket of sockets) socket.close();
  return (sessions * steps) / seconds;
}
