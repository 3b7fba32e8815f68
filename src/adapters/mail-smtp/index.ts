import { createTransport } from 'nodemailer';
import {
  htmlOf,
  type OutgoingNotification,
  type RecipientOutcome,
  type Sender,
} from '../../features/notifications/index.ts';

const CONNECTIONS_MAX = 5;
const CONNECT_MS = 10_000;
/** A server may be slow with a whole message; one given up too early may have accepted it, and gets it again. */
const SILENCE_MS = 120_000;
/** For the whole message, even if the server keeps sending small replies. */
const MESSAGE_MS = 180_000;
/** Well before servers close idle connections, so that no message meets a connection that is just ending. */
const IDLE_MS = 30_000;
/** Servers must accept a hundred recipients, and many accept no more. */
const RECIPIENTS_MAX = 100;
/** With more recipients than this, the header does not list them. */
const SHOWN_MAX = 20;

export interface MailSmtpOptions {
  /** smtp: with STARTTLS where the server has it, smtps: with TLS from the start. */
  readonly url: string;
  readonly from: string;
  /** Trusted instead of the system's roots, for tests; an operator has NODE_EXTRA_CA_CERTS. */
  readonly ca?: string;
  /** Shorter times, for tests. */
  readonly limits?: { readonly connectMs?: number; readonly silenceMs?: number; readonly messageMs?: number };
}

type Pool = ReturnType<typeof openPool>;

function openPool({ url, ca, limits = {} }: MailSmtpOptions) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const connectMs = limits.connectMs ?? CONNECT_MS;
  const pool = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // We decide about another try, because we count them, and know which recipients have the mail already.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? undefined : Number(port),
    secure: protocol === 'smtps:',
    // A password is never sent unencrypted, whatever the server offers or an attacker removes.
    requireTLS: username !== '' || searchParams.get('requireTLS') === 'true',
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: limits.silenceMs ?? SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    allowInternalNetworkInterfaces: true,
    ...(ca !== undefined && { tls: { ca } }),
  });
  // The sender gets the error; without this listener, an error of an idle connection could end the process.
  pool.on('error', () => {});
  return pool;
}

/** Sends mail through one server, over connections that are kept. */
export function createMailSmtp(options: MailSmtpOptions): Sender & { close(): void } {
  const { from, limits = {} } = options;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  let pool = openPool(options);
  let closed = false;

  const compose = ({ notificationId, to, subject, text }: OutgoingNotification) => ({
    from: { name: 'Linekeeper', address: from },
    to: to.length > SHOWN_MAX ? 'undisclosed-recipients:;' : [...to],
    // The addresses unchanged, without parsing them as a list of names and addresses.
    envelope: { from, to: to.map((address) => ({ name: '', address })) },
    subject: subject ?? '',
    text,
    html: htmlOf(subject, text),
    messageId: `<${notificationId}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });

  /** The only way to end one message: closes all connections, and their messages are sent again later. */
  const breakOff = (broken: Pool) => {
    broken.close({ force: true });
    if (!closed && pool === broken) pool = openPool(options);
  };

  return {
    atOnce: CONNECTIONS_MAX,
    recipientsMax: RECIPIENTS_MAX,
    async send(message) {
      const used = pool;
      const { to } = message;
      const late = Promise.withResolvers<readonly RecipientOutcome[]>();
      const timer = setTimeout(() => {
        late.resolve(outcomesOf(to, [], outcomeOf({ message: '', code: 'ETIMEDOUT' })));
        breakOff(used);
      }, limits.messageMs ?? MESSAGE_MS);
      const sent = used.sendMail(compose(message)).then(
        (info) => outcomesOf(to, info.rejectedErrors ?? [], { kind: 'sent' }),
        (error: SmtpError) => outcomesOf(to, error.rejectedErrors ?? [], outcomeOf(error)),
      );
      try {
        return await Promise.race([sent, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      closed = true;
      pool.close({ force: true });
    },
  };
}

/** A failure as nodemailer reports it: its own code, and the server's if there was a reply. */
interface SmtpError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly recipient?: string | undefined;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

/** Permanent codes that concern us and not the message: the operator can fix the problem. */
const ABOUT_US = new Set([530, 534, 535, 538]);
const CLOSING = 421;

const WORDS: Readonly<Record<string, string>> = {
  EDNS: 'the name of the mail server does not resolve',
  ETIMEDOUT: 'the mail server does not answer',
  ECONNECTION: 'the mail server closed the connection',
  ESOCKET: 'the mail server cannot be reached',
  ETLS: 'no trusted connection to the mail server',
  EAUTH: 'the mail server refused the login',
};

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0]!;

/** The outcome for one command that the server refused, or for a connection that failed. */
function outcomeOf({ code = '', responseCode, response, message }: SmtpError): RecipientOutcome {
  const refused = code === 'EENVELOPE' || code === 'EMESSAGE';
  // Refused by the client itself, such as a message larger than the server's announced limit.
  if (responseCode === undefined && refused) return { kind: 'failed', reason: firstLine(message) };
  if (responseCode === undefined || !refused || responseCode === CLOSING || ABOUT_US.has(responseCode)) {
    const words = WORDS[code] ?? 'the mail server cannot be used';
    const reason = response === undefined ? words : `${words}: ${firstLine(response)}`;
    return { kind: 'deferred', reason, serverDown: true };
  }
  const reason = firstLine(response ?? message);
  return responseCode >= 500 ? { kind: 'failed', reason } : { kind: 'deferred', reason, serverDown: false };
}

/** One outcome per recipient: those refused by name have their own, and the others have that of the message. */
function outcomesOf(
  to: readonly string[],
  rejected: readonly SmtpError[],
  others: RecipientOutcome,
): readonly RecipientOutcome[] {
  // The client writes domains in lower case.
  const own = new Map(rejected.map((error) => [error.recipient?.toLowerCase(), outcomeOf(error)]));
  return to.map((recipient) => own.get(recipient.toLowerCase()) ?? others);
}
