import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { SocketAddress } from '../../kernel/socket-address.ts';
import { concurrencyLimit } from '../../platform/flow-control/limits.ts';
import { readResponse, writeRequest } from './authenticators.ts';
import { type Attribute, type CodeName, HEAD, type Packet } from './packet.ts';

/** One octet names a request that waits for its answer. */
const IDENTIFIERS = 256;

export interface ExchangeLimits {
  /** How often a request is sent at most. */
  readonly tries: number;
  /** For the answer to the first one; each further try waits twice as long. */
  readonly firstWaitMs: number;
  readonly inFlightMax: number;
}

/** No answer came that can be trusted. What was asked for may have been done. */
export class RadiusFailed extends Error {}

interface UnderWay {
  readonly octets: Buffer;
  readonly answered: (packet: Packet) => void;
  readonly failed: (reason: string) => void;
  /** What came instead of an answer. */
  nonsense?: string;
}

/** Sends requests over UDP to one server, again and again until each is answered or has been sent often enough. */
export function createExchange(address: SocketAddress, secret: string, limits: ExchangeLimits) {
  const underWay = new Map<number, UnderWay>();
  const atOnce = concurrencyLimit(Math.min(limits.inFlightMax, IDENTIFIERS));
  let lastIdentifier = 0;
  let isClosed = false;
  let socket: Promise<Socket> | undefined;
  let unreachable: string | undefined;

  function take(octets: Buffer): void {
    unreachable = undefined;
    const request = underWay.get(octets[1] ?? -1);
    if (request === undefined) return;
    try {
      request.answered(readResponse(octets, request.octets.subarray(4, HEAD), secret));
    } catch (error) {
      // Anybody can send a packet with that number: the answer may still come.
      request.nonsense = (error as Error).message;
    }
  }

  function open(): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const opened = createSocket(isIPv6(address.host) ? 'udp6' : 'udp4', take);
    // That nobody listens there may change: what is under way is sent again.
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
    while (underWay.has(lastIdentifier));
    return lastIdentifier;
  }

  const reasonOf = ({ nonsense }: UnderWay): string => {
    const times = limits.tries === 1 ? 'once' : `${limits.tries} times`;
    const why = unreachable ?? nonsense;
    return `the access server did not answer, asked ${times}${why === undefined ? '' : `: ${why}`}`;
  };

  /** Sends it again until an answer comes; the same octets, so that the server knows it again. */
  function sendUntilAnswered(to: Socket, identifier: number, octets: Buffer, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Packet>();
    const failed = (reason: string) => reject(new RadiusFailed(reason));
    const request: UnderWay = { octets, answered: resolve, failed };
    underWay.set(identifier, request);
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
      underWay.delete(identifier);
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
      for (const { failed } of underWay.values()) failed('stopped');
      const opened = await socket?.catch(() => undefined);
      opened?.close();
    },
  };
}
