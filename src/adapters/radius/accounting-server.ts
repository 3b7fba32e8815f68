import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Restart, SessionReport, TakenReport } from '../../features/data-sessions/index.ts';
import { socketAddressOf } from '../../kernel/socket-address.ts';
import { type AccountingClient, clientFinder } from './accounting-clients.ts';
import { readAccounting } from './accounting-report.ts';
import { rememberPackets } from './answered-packets.ts';
import { readRequest, writeResponse } from './authenticators.ts';
import { BadPacket, CODES, type Packet, UntrustedPacket } from './packet.ts';

/** The outcomes of a packet. From `repeated` on, they get no answer of their own. */
export const PACKET_OUTCOMES = [
  'counted',
  'doubtful',
  'nothing',
  'rejected',
  'restart',
  'ignored',
  'status',
  'repeated',
  'unknown-client',
  'wrong-secret',
  'malformed',
  'overloaded',
  'paused',
  'failed',
] as const;
export type PacketOutcome = (typeof PACKET_OUTCOMES)[number];

interface AccountingSettings {
  readonly listen: string;
  readonly clients: readonly AccountingClient[];
}

interface AccountingDeps {
  readonly take: (report: SessionReport | Restart) => Promise<TakenReport>;
  readonly isPaused: () => boolean;
  readonly now: () => Date;
  readonly count: (outcome: PacketOutcome) => void;
  /** Receives a problem with a packet or with the socket, as a sentence. */
  readonly failed: (reason: string) => void;
}

/** Bursts wait in this buffer while the process is busy; the system may allow less. */
const RECEIVE_BYTES = 8 * 1024 * 1024;
const LISTEN_AGAIN_MS = 5_000;
const PROXY_STATE = 33;
/** On these systems several processes of a machine can share a port. */
const SHARES_PORTS = ['linux', 'freebsd'].includes(process.platform);

/** Accepts Accounting-Requests over UDP (RFC 2866), and answers each when it is stored. Does not answer errors and overload. */
export function createAccountingServer({ listen, clients }: AccountingSettings, deps: AccountingDeps) {
  const { host, port } = socketAddressOf(listen);
  const clientOf = clientFinder(clients);
  const packets = rememberPackets();
  const running = new Set<Promise<void>>();
  let socket: Socket | undefined;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;

  function drop(outcome: PacketOutcome, { address }: RemoteInfo, why: string): void {
    deps.count(outcome);
    deps.failed(`${address} ${why}`);
  }

  /** Returns a correctly signed request, and drops any other. */
  function trusted(
    octets: Buffer,
    from: RemoteInfo,
  ): { packet: Packet; client: AccountingClient } | undefined {
    const client = clientOf(from.address);
    if (client === undefined) return void drop('unknown-client', from, 'is not among the clients');
    try {
      return { packet: readRequest(octets, client.secret), client };
    } catch (error) {
      const { message } = error as Error;
      return error instanceof UntrustedPacket
        ? void drop('wrong-secret', from, `sent a packet that cannot be trusted: ${message}`)
        : void drop('malformed', from, `sent no packet: ${message}`);
    }
  }

  const answerTo = ({ identifier, authenticator, attributes }: Packet, secret: string): Buffer =>
    writeResponse(
      // A proxy uses these attributes to route the answer.
      {
        code: 'Accounting-Response',
        identifier,
        attributes: attributes.filter(({ type, vendor }) => type === PROXY_STATE && vendor === undefined),
        secret,
      },
      authenticator,
    );

  const send = (answer: Buffer, { port: to, address }: RemoteInfo): void =>
    // A sender that does not receive the answer repeats its request.
    void socket?.send(answer, to, address, () => undefined);

  async function work(
    packet: Packet,
    client: AccountingClient,
    from: RemoteInfo,
    key: string,
  ): Promise<void> {
    const outcome = await outcomeOf(packet, client, from);
    deps.count(outcome);
    if (outcome === 'malformed' || outcome === 'overloaded' || outcome === 'failed')
      return packets.forget(key);
    const answer = answerTo(packet, client.secret);
    packets.answered(key, answer);
    send(answer, from);
  }

  async function outcomeOf(
    packet: Packet,
    { swapDirections = false }: AccountingClient,
    from: RemoteInfo,
  ): Promise<PacketOutcome> {
    if (packet.code === CODES['Status-Server']) return 'status';
    try {
      const given = { sender: from.address, arrivedAt: deps.now(), swapDirections };
      const report = readAccounting(packet, given);
      if (report === undefined) return 'ignored';
      const taken = await deps.take(report);
      if (typeof taken === 'string') return taken;
      deps.failed(`a report of ${from.address} was rejected: ${taken.rejected}`);
      return 'rejected';
    } catch (error) {
      if (!(error instanceof BadPacket)) throw error;
      deps.failed(`${from.address} sent a packet that cannot be understood: ${error.message}`);
      return 'malformed';
    }
  }

  function take(octets: Buffer, from: RemoteInfo): void {
    const given = trusted(octets, from);
    if (given === undefined) return;
    const { packet, client } = given;
    if (packet.code !== CODES['Accounting-Request'] && packet.code !== CODES['Status-Server'])
      return void drop('malformed', from, `sent code ${packet.code}, which is not taken here`);
    if (deps.isPaused()) return void deps.count('paused');
    const key = `${from.address} ${from.port} ${packet.identifier} ${packet.authenticator.toString('base64')}`;
    const known = packets.see(key);
    if (known !== 'new') {
      deps.count('repeated');
      if (known !== undefined) send(known, from);
      return;
    }
    const working: Promise<void> = work(packet, client, from, key)
      .catch((error: Error) => {
        packets.forget(key);
        deps.count('failed');
        deps.failed(error.message);
      })
      .finally(() => running.delete(working));
    running.add(working);
  }

  /** A port in use may become free: until then only the feed is down. */
  function open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const opened = createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BYTES,
      ...(SHARES_PORTS && { reusePort: true }),
    });
    let isListening = false;
    opened.on('message', take);
    opened.on('error', (error) => {
      deps.failed(`${listen}: ${error.message}`);
      if (isListening || isStopped) return;
      opened.close();
      again = setTimeout(open, LISTEN_AGAIN_MS);
      resolve();
    });
    opened.bind(port, host, () => {
      isListening = true;
      if (isStopped) return void opened.close();
      socket = opened;
      resolve();
    });
    return promise;
  }

  return {
    start: open,
    /** Receives nothing more; packets that are being stored are still answered. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(again);
      socket?.removeListener('message', take);
      await Promise.all(running);
      socket?.close();
      socket = undefined;
    },
  };
}
