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

/** The end point of a socket. */
export type Destination = Pick<Target, 'origin' | 'host' | 'port' | 'isSecure'>;

/** Receives the first `length` bytes of a buffer, which is reused when the call returns. */
type OnBytes = (bytes: Buffer, length: number) => void;

/** Calls `done` with a socket that is ready for writing, or with the error. */
export type OpenSocket = (to: Destination, onBytes: OnBytes, done: (result: Socket | Error) => void) => void;

/** Most answers are shorter, and only a small part of longer ones is kept. */
const READ_BYTES = 4_096;

const ignore = () => {};

/** With a buffer of its own, a socket needs no stream to hold unread data. */
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
    // Connects only to the checked addresses, because another lookup might return others.
    lookup: (_host, _options, done) => done(null, answers),
    ...(!isSecure && { onread: readInto(onBytes) }),
  });
}

/** Opens sockets to checked addresses. Never resumes a TLS session, because that would skip the certificate check. */
export function createConnector({ connectMs, ca, ...resolving }: ConnectorOptions) {
  const pending = new Set<(error: Error) => void>();
  // Created once: reading the root certificates takes longer than the rest of a handshake.
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

    const timer = setTimeout(
      () => fail(new Refusal(`could not connect in ${connectMs / 1_000} s`)),
      connectMs,
    );
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
    /** Ends connections that are still being opened. */
    close() {
      for (const fail of pending) fail(new Refusal('stopped'));
    },
  };
}
