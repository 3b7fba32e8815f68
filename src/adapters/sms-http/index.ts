import { Agent, request } from 'undici';
import type { RecipientOutcome, Sender } from '../../features/notifications/index.ts';

const CONNECTIONS_MAX = 8;
const CONNECT_MS = 5_000;
const ANSWER_MS = 15_000;
/** Characters kept of an answer with a reason. */
const ANSWER_KEPT = 200;
const ANSWER_BYTES_MAX = 64 * 1024;
/** 4xx codes for temporary problems: too slow, too early, too many. */
const TEMPORARY = new Set([408, 425, 429]);

const isTemporary = (status: number) => status < 400 || status >= 500 || TEMPORARY.has(status);

function outcomeOf(status: number, answer: string): RecipientOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const said = answer.replace(/\s+/g, ' ').trim().slice(0, ANSWER_KEPT);
  const reason = `the SMS gateway answered ${status}${said === '' ? '' : `: ${said}`}`;
  return isTemporary(status)
    ? { kind: 'deferred', reason, serverDown: status >= 500 || status === 429 }
    : { kind: 'failed', reason };
}

/** SMS through a gateway that accepts a POST of `{to, text, id}` for each. Credentials in the URL become Basic authentication. */
export function createSmsHttp({
  url,
  userAgent,
  answerMs = ANSWER_MS,
}: {
  readonly url: string;
  readonly userAgent: string;
  readonly answerMs?: number;
}): Sender & { close(): Promise<void> } {
  const { username, password, ...rest } = partsOf(url);
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(username !== '' && { authorization: `Basic ${credentials}` }),
  };
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_MS },
    maxResponseSize: ANSWER_BYTES_MAX,
  });

  async function sendOne(body: { to: string; text: string; id: string }): Promise<RecipientOutcome> {
    try {
      const answer = await request(rest.href, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        dispatcher: agent,
        signal: AbortSignal.timeout(answerMs),
      });
      // The status says that the gateway has accepted the SMS, even if the rest of its answer fails.
      return outcomeOf(answer.statusCode, await answer.body.text().catch(() => ''));
    } catch (error) {
      const slow = error instanceof Error && error.name === 'TimeoutError';
      const reason = slow ? 'the SMS gateway does not answer' : 'the SMS gateway cannot be reached';
      return { kind: 'deferred', reason, serverDown: true };
    }
  }

  return {
    atOnce: CONNECTIONS_MAX,
    recipientsMax: 1,
    send: ({ notificationId, to, text }) =>
      Promise.all(
        to.map((recipient) => sendOne({ to: recipient, text, id: `${notificationId}-${recipient}` })),
      ),
    close: () => agent.destroy(),
  };
}

function partsOf(url: string) {
  const parsed = new URL(url);
  const [username, password] = [decodeURIComponent(parsed.username), decodeURIComponent(parsed.password)];
  parsed.username = '';
  parsed.password = '';
  return { username, password, href: parsed.href };
}
