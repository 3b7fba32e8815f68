import { constants } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import type { Target } from './address-rules.ts';
import { certificateReason, Refusal } from './reasons.ts';
import { findAddresses, type Resolving } from './resolve-host.ts';

interface ConnectorOptions extends Resolving {
  readonly connectMs: number;
  readonly ca?: string | undefined;
}

/** Where a socket leads. */
export type Destination = Pick<Target, 'origin' | 'host' | 'port' | 'isSecure'>;

/** Gets what is read: the first `length` bytes of a buffer, which is used again when it returns. */
type OnBytes = (bytes: Buffer, length: number) => void;

/** Answers a socket that is ready to be written to, or why there is none. */
export type OpenSocket = (to: Destination, onBytes: OnBytes, done: (result: Socket | Error) => void) => void;

/** Most answers are shorter, and of the others little is kept. */
const READ_BYTES = 4_096;

const ignore = () => {};

/** Reading into one buffer of its own spares a socket the stream that would hold what nobody has asked for yet. */
const readInto = (onBytes: OnBytes) => ({
  buffer: Buffer.allocUnsafe(READ_BYTES),
  callback(length: number, bytes: Uint8Array) {
    onBytes(bytes as Buffer, length);
    return true;
  },
});

function openTcp(
  { host, port, isSecure }: Destination,
  addresses: readonly string[],
  onBytes: OnBytes,
): Socket {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return connectTcp({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    // Only what has been checked is connected to: a second lookup might be answered differently.
    lookup: (_host, _options, done) => done(null, answers),
    ...(!isSecure && { onread: readInto(onBytes) }),
  });
}

/** Opens sockets to addresses that were checked. No TLS session is resumed: that would skip the certificate. */
export function createConnector({ connectMs, ca, ...resolving }: ConnectorOptions) {
  const pending = new Set<(error: Error) => void>();
  // Made once: reading the root certificates takes longer than the rest of a handshake.
  let secureContext: ReturnType<typeof createSecureContext> | undefined;

  function openTls(socket: Socket, host: string): TLSSocket {
    secureContext ??= createSecureContext({
      secureOptions: constants.SSL_OP_NO_TICKET,
      ...(ca === undefined ? {} : { ca }),
    });
    const name = host.replace(/\.$/, '');
    socket.on('error', ignore);
    return connectTls({
      socket,
      secureContext,
      host: name,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(name) === 0 ? { servername: name } : {}),
    });
  }

  const open: OpenSocket = (to, onBytes, done) => {
    const { host, port, isSecure } = to;
    let socket: Socket | undefined;

    const end = (): boolean => {
      clearTimeout(timer);
      return pending.delete(fail);
    };
    const fail = (error: Error): void => {
      if (!end()) return;
      socket?.on('error', ignore).destroy();
      done(error);
    };
    const succeed = (ready: Socket): void => {
      if (!end()) return;
      ready.off('error', fail);
      done(ready);
    };
    const onTcp = (tcp: Socket): void => {
      const reason = resolving.rules.refusal(tcp.remoteAddress ?? '', port);
      if (reason !== undefined) fail(new Refusal(reason));
      else if (isSecure) startTls(tcp);
      else succeed(tcp);
    };
    const startTls = (tcp: Socket): void => {
      tcp.off('error', fail);
      const tls = openTls(tcp, host);
      socket = tls;
      tls.once('error', (error) =>
        fail(tls.authorizationError ? new Refusal(certificateReason(error)) : error),
      );
      tls.on('data', (bytes: Buffer) => onBytes(bytes, bytes.length));
      tls.once('secureConnect', () => succeed(tls));
    };

    const timer = setTimeout(() => fail(new Refusal('could not connect in 5 s')), connectMs);
    pending.add(fail);
    findAddresses(host, port, resolving)
      .then((addresses) => {
        if (!pending.has(fail)) return;
        const tcp = openTcp(to, addresses, onBytes);
        socket = tcp.once('error', fail).once('connect', () => onTcp(tcp));
      })
      .catch(fail);
  };

  return {
    open,
    /** Ends connections that are still being made. */
    close() {
      for (const fail of pending) fail(new Refusal('stopped'));
    },
  };
}
