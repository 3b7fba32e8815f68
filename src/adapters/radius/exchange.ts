import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { SocketAddress } from '../../kernel/socket-address.ts';
import { concurrencyLimit } from '../../platform/flow-control/limits.ts';
import { readResponse, writeRequest } from './authenticators.ts';
import { type Attribute, type CodeName, HEAD, type Packet } from './packet.ts';

/** One octet identifies a request that waits for its answer. */
const IDENTIFIERS = 256;

export interface ExchangeLimits {
  /** Maximum number of times that a request is sent. */
  readonly tries: number;
  /** Time limit for the first answer; each further try waits twice as long. */
  readonly firstWaitMs: number;
  readonly inFlightMax: number;
}

/** No trusted answer arrived. The request may have been carried out. */
export class RadiusFailed extends Error {}

interface Pending {
  readonly octets: Buffer;
  readonly answered: (packet: Packet) => void;
  readonly failed: (reason: string) => void;
  /** An error in a packet that arrived instead of the answer. */
  nonsense?: string;
}

/** Sends requests over UDP to one server, repeatedly until each is answered or has been sent often enough. */
export function createExchange(address: SocketAddress, secret: string, limits: ExchangeLimits) {
  const pending = new Map<number, Pending>();
  const atOnce = concurrencyLimit(Math.min(limits.inFlightMax, IDENTIFIERS));
  let lastIdentifier = 0;
  let isClosed = false;
  let socket: Promise<Socket> | undefined;
  let unreachable: string | undefined;

  function take(octets: Buffer): void {
    unreachable = undefined;
    const request = pending.get(octets[1] ?? -1);
    if (request === undefined) return;
    try {
      request.answered(readResponse(octets, request.octets.subarray(4, HEAD), secret));
    } catch (error) {
      // The packet may be forged, so the real answer may still arrive.
      request.nonsense = (error as Error).message;
    }
  }

  function open(): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const opened = createSocket(isIPv6(address.host) ? 'udp6' : 'udp4', take);
    // A server may start to listen later: requests in progress are sent again.
    opened.on('error', (error) => {
      unreachable = error.message;
    });
    opened.connect(address.port, address.host, (error?: Error) => {
      if (error == null) resolve(opened);
      else reject(new RadiusFailed(`the access server cannot be reached: ${error.message}`));
    });
    return promise;
  }

  async function connected(): Promise<Socket> {
    socket ??= open();
    try {
      return await socket;
    } catch (error) {
      socket = undefined;
      throw error;
    }
  }

  function takeIdentifier(): number {
    do lastIdentifier = (lastIdentifier + 1) % IDENTIFIERS;
    while (pending.has(lastIdentifier));
    return lastIdentifier;
  }

  const reasonOf = ({ nonsense }: Pending): string => {
    const times = limits.tries === 1 ? 'once' : `${limits.tries} times`;
    const why = unreachable ?? nonsense;
    return `the access server did not answer, asked ${times}${why === undefined ? '' : `: ${why}`}`;
  };

  /** Repeats the request until an answer arrives, with the same octets, so that the server recognises it. */
  function sendUntilAnswered(to: Socket, identifier: number, octets: Buffer, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Packet>();
    const failed = (reason: string) => reject(new RadiusFailed(reason));
    const request: Pending = { octets, answered: resolve, failed };
    pending.set(identifier, request);
    let timer: NodeJS.Timeout | undefined;
    const stop = () => failed('stopped');
    const send = (time: number) => {
      if (time === limits.tries) {
        failed(reasonOf(request));
        return;
      }
      to.send(octets, (error) => {
        if (error !== null) unreachable = error.message;
      });
      timer = setTimeout(send, limits.firstWaitMs * 2 ** time, time + 1);
    };
    signal.addEventListener('abort', stop, { once: true });
    send(0);
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      pending.delete(identifier);
    });
  }

  return {
    /** Rejects with `RadiusFailed`. */
    request: (code: CodeName, attributes: readonly Attribute[], signal: AbortSignal): Promise<Packet> =>
      atOnce.run(async () => {
        const to = await connected();
        if (isClosed || signal.aborted) throw new RadiusFailed('stopped');
        const identifier = takeIdentifier();
        const octets = writeRequest({ code, identifier, attributes, secret });
        return sendUntilAnswered(to, identifier, octets, signal);
      }),
    async close(): Promise<void> {
      isClosed = true;
      for (const { failed } of pending.values()) failed('stopped');
      const opened = await socket?.catch(() => undefined);
      opened?.close();
    },
  };
}
