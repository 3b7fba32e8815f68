import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface HeardMail {
  readonly from: string;
  /** From the envelope, which may differ from the header. */
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly connection: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** `hang` never answers; `drop after` accepts the message and then drops the connection instead of confirming. */
export type MessageAnswer = 'take' | 'hang' | 'drop after' | number;

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** Every accepted message. */
  readonly heard: HeardMail[];
  /** Every requested recipient, accepted or not. */
  readonly asked: string[];
  /** Its answer to a complete message from now on. */
  message: MessageAnswer | ((text: string) => MessageAnswer);
  close(): Promise<void>;
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

function parse(raw: string): Pick<HeardMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { headers, text: raw.slice(end + 4) };
}

/**
 * A real SMTP server on loopback. It defers recipients whose name begins with `defer` (450), rejects
 * `reject` (550) and accepts all others. Closed when the file ends.
 */
export async function openMailServer(
  options: SMTPServerOptions & { readonly port?: number } = {},
): Promise<MailServer> {
  const { port = 0, ...smtp } = options;
  const heard: HeardMail[] = [];
  const asked: string[] = [];
  const smtpServer = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: smtp.key === undefined ? ['AUTH', 'STARTTLS'] : [],
    closeTimeout: 100,
    ...smtp,
    onRcptTo({ address }, _session, done) {
      asked.push(address);
      if (address.startsWith('defer')) return done(refusal(450, '4.2.0 greylisted, come back'));
      if (address.startsWith('reject')) return done(refusal(550, `5.1.1 <${address}> no such mailbox`));
      done();
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const content = parse(Buffer.concat(parts).toString());
        const answer = typeof server.message === 'function' ? server.message(content.text) : server.message;
        if (answer === 'hang') return;
        if (typeof answer === 'number') return done(refusal(answer, 'not this one'));
        heard.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
          connection: session.id,
          ...content,
        });
        if (answer === 'take') return done();
        for (const connection of smtpServer.connections)
          if (connection.session.id === session.id) connection.close();
      });
    },
  });
  smtpServer.on('error', () => {});
  await new Promise<void>((resolve) => smtpServer.listen(port, '127.0.0.1', resolve));
  const listening = (smtpServer.server.address() as AddressInfo).port;
  let closed: Promise<void> | undefined;
  const server: MailServer = {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    heard,
    asked,
    message: 'take',
    close() {
      closed ??= new Promise<void>((resolve) => smtpServer.close(resolve));
      return closed;
    },
  };
  after(server.close);
  return server;
}
