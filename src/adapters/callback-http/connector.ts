import { constants } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { withoutBrackets } from './address-rules.ts';
import { certificateReason, Refusal } from './reasons.ts';
import { findAddresses, type Resolving } from './resolve-host.ts';

interface ConnectorOptions extends Resolving {
  readonly connectMs: number;
  readonly ca?: string | undefined;
}

const ignore = () => {};

function openTcp(host: string, port: number, addresses: readonly string[]): Socket {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return connectTcp({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    // Only what has been checked is connected to: a second lookup might be answered differently.
    lookup: (_host, _options, done) => done(null, answers),
  });
}

/**
 * Opens sockets for undici. Its own connector hands a literal address to the system unseen and resumes TLS sessions,
 * which skips the certificate.
 */
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

  function connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const host = withoutBrackets(options.hostname);
    const secure = options.protocol === 'https:';
    const port = Number(options.port || (secure ? 443 : 80));
    let socket: Socket | undefined;

    const end = (): boolean => {
      clearTimeout(timer);
      return pending.delete(fail);
    };
    const fail = (error: Error): void => {
      if (!end()) return;
      socket?.on('error', ignore).destroy();
      callback(error, null);
    };
    const succeed = (ready: Socket): void => {
      if (!end()) return;
      ready.off('error', fail);
      callback(null, ready);
    };
    const onTcp = (tcp: Socket): void => {
      const reason = resolving.rules.refusal(tcp.remoteAddress ?? '', port);
      if (reason !== undefined) fail(new Refusal(reason));
      else if (secure) startTls(tcp);
      else succeed(tcp);
    };
    const startTls = (tcp: Socket): void => {
      tcp.off('error', fail);
      const tls = openTls(tcp, host);
      socket = tls;
      tls.once('error', (error) =>
        fail(tls.authorizationError ? new Refusal(certificateReason(error)) : error),
      );
      tls.once('secureConnect', () => succeed(tls));
    };

    const timer = setTimeout(() => fail(new Refusal('could not connect in 5 s')), connectMs);
    pending.add(fail);
    findAddresses(host, port, resolving)
      .then((addresses) => {
        if (!pending.has(fail)) return;
        const tcp = openTcp(host, port, addresses);
        socket = tcp.once('error', fail).once('connect', () => onTcp(tcp));
      })
      .catch(fail);
  }

  return {
    connect,
    /** Ends connections that are still being made. */
    close() {
      for (const fail of pending) fail(new Refusal('stopped'));
    },
  };
}
