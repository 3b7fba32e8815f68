import { createSocket, type Socket } from 'node:dgram';
import { readResponse } from '../../../src/adapters/radius/authenticators.ts';
import { HEAD } from '../../../src/adapters/radius/packet.ts';

const KEPT_MAX = 256;
/** One in this many packets arrives twice. */
const TWICE_EVERY = 50;
const BUFFER_BYTES = 4 * 1024 * 1024;

/** A relay between an access server and the service, which can be cut. */
export interface UdpRelay {
  readonly address: string;
  /** Answers that passed. */
  readonly answers: () => number;
  /** Packets that cuts dropped. */
  readonly lost: () => number;
  /** Drops packets in both directions until this many are lost. */
  cut(packets: number): void;
  close(): void;
}

function openSocket(): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const socket = createSocket({ type: 'udp4', recvBufferSize: BUFFER_BYTES });
  socket.bind(0, '127.0.0.1', () => resolve(socket));
  return promise;
}

interface Way {
  readonly socket: Socket;
  /** By identifier: the authenticator of the request that is waiting for its answer. */
  readonly waiting: Map<number, Buffer>;
}

/** radclient gives up on a request if it gets the answer to another one, such as a second answer to an earlier request. */
function isAwaited({ waiting }: Way, octets: Buffer, secret: string): boolean {
  const authenticator = waiting.get(octets[1]!);
  if (authenticator === undefined) return false;
  try {
    readResponse(octets, authenticator, secret);
    return waiting.delete(octets[1]!);
  } catch {
    return false;
  }
}

/** Each sender also has its own port on the other side, as it would without the relay. */
export async function startRelay(targetPort: number, secret: string): Promise<UdpRelay> {
  const front = await openSocket();
  const ways = new Map<string, Promise<Way>>();
  let [answers, lost, toLose, seen] = [0, 0, 0, 0];
  const isLost = (): boolean => {
    if (toLose === 0) return false;
    toLose--;
    lost++;
    return true;
  };

  async function openWay(address: string, port: number): Promise<Way> {
    const way: Way = { socket: await openSocket(), waiting: new Map() };
    way.socket.on('message', (octets) => {
      if (isLost() || !isAwaited(way, octets, secret)) return;
      answers++;
      front.send(octets, port, address, () => undefined);
    });
    return way;
  }
  function wayOf(address: string, port: number): Promise<Way> {
    const key = `${address} ${port}`;
    const way = ways.get(key) ?? openWay(address, port);
    ways.delete(key);
    ways.set(key, way);
    const [oldest] = ways.keys();
    if (ways.size > KEPT_MAX) {
      void ways.get(oldest!)!.then(({ socket }) => socket.close());
      ways.delete(oldest!);
    }
    return way;
  }

  front.on('message', (octets, { address, port }) => {
    if (isLost()) return;
    const times = ++seen % TWICE_EVERY === 0 ? 2 : 1;
    void wayOf(address, port).then(({ socket, waiting }) => {
      waiting.set(octets[1]!, Buffer.from(octets.subarray(4, HEAD)));
      for (let n = 0; n < times; n++) socket.send(octets, targetPort, '127.0.0.1', () => undefined);
    });
  });
  return {
    address: `127.0.0.1:${front.address().port}`,
    answers: () => answers,
    lost: () => lost,
    cut(packets) {
      toLose += packets;
    },
    close() {
      front.close();
      for (const way of ways.values()) void way.then(({ socket }) => socket.close());
    },
  };
}
