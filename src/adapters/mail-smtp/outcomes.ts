import type { RecipientOutcome } from '../../features/notifications/index.ts';

/** What nodemailer says of a failure: its own code, and the server's if it answered. */
export interface SmtpError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly recipient?: string | undefined;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

/** Permanent in form, but about us and not about the message: the operator can mend it. */
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

/** Of one command that the server refused, or of a connection that failed. */
export function outcomeOf({ code = '', responseCode, response, message }: SmtpError): RecipientOutcome {
  const refused = code === 'EENVELOPE' || code === 'EMESSAGE';
  // Refused by the client itself, such as a message larger than the server said it takes.
  if (responseCode === undefined && refused) return { kind: 'failed', reason: firstLine(message) };
  if (responseCode === undefined || !refused || responseCode === CLOSING || ABOUT_US.has(responseCode)) {
    const words = WORDS[code] ?? 'the mail server cannot be used';
    const reason = response === undefined ? words : `${words}: ${firstLine(response)}`;
    return { kind: 'deferred', reason, serverDown: true };
  }
  const reason = firstLine(response ?? message);
  return responseCode >= 500 ? { kind: 'failed', reason } : { kind: 'deferred', reason, serverDown: false };
}

/** One for each recipient: those that the server refused by name have their own, the others the message's. */
export function outcomesOf(
  to: readonly string[],
  rejected: readonly SmtpError[],
  others: RecipientOutcome,
): readonly RecipientOutcome[] {
  // The client writes domains in small letters.
  const own = new Map(rejected.map((error) => [error.recipient?.toLowerCase(), outcomeOf(error)]));
  return to.map((recipient) => own.get(recipient.toLowerCase()) ?? others);
}
