import type { Ctx } from '../../../platform/context/context.ts';
import type { TraceParent } from '../../../platform/telemetry/tracing/tracing.ts';
import { withAttempt } from '../../callback-payloads/index.ts';
import { createSigner, markOf, sealContext } from '../listeners/listener-secrets.ts';
import type { OpenListener } from '../listeners/sql-listener.ts';
import type { OutgoingCallback, SendOutcome } from '../send-callback.ts';
import type { DueMessage } from './lane.ts';
import { ATTEMPTS_MAX } from './policy.ts';

interface AttemptOf {
  /** From 1. */
  readonly attempt: number;
  /** In real time, whatever the sandbox clock says: a verifier compares it with its own clock. */
  readonly signedAt: Date;
  /** The trace of this attempt; a listener that traces too can continue it. */
  readonly trace?: TraceParent | undefined;
}

export interface SignedCallback extends OutgoingCallback {
  readonly signedAt: Date;
  /** The beginning of its first signature. */
  readonly mark: number;
}

type SentMessage = Pick<DueMessage, 'messageId' | 'requestId' | 'callerRequestId' | 'payload'>;

/** A listener prepared for sending: its secrets are in memory only while a worker holds its lane. */
export interface PreparedListener {
  outgoing(message: SentMessage, of: AttemptOf): SignedCallback;
  /** The body of an attempt for display: with all its members, but without the credentials. */
  shownBody(payload: string, attempt: number): string;
  /** The text without the listener's own secrets: some listeners send them back. */
  masked(text: string): string;
}

const HIDDEN = '(hidden)';
/** A shorter secret occurs in any text, and masking it would reveal it. */
const MASKED_MIN = 4;

export function prepareListener(
  { secrets, now }: Ctx,
  listener: OpenListener,
  userAgent: string,
): PreparedListener {
  const open = (sealed: string | null, part: 'username' | 'password' | 'secret') =>
    sealed === null ? undefined : secrets.open(sealed, sealContext(listener, part));
  const credentials = {
    username: open(listener.usernameSealed, 'username'),
    password: open(listener.passwordSealed, 'password'),
  };
  const rotating = listener.previousSecretUntil !== null && listener.previousSecretUntil > now();
  const previous = rotating ? open(listener.previousSecretSealed, 'secret') : undefined;
  const signer = createSigner([
    open(listener.secretSealed, 'secret')!,
    ...(previous === undefined ? [] : [previous]),
  ]);

  const hidden = [credentials.password]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= MASKED_MIN)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);

  return {
    masked: (text) => hidden.reduce((masked, secret) => masked.replaceAll(secret, HIDDEN), text),
    shownBody: (payload, attempt) =>
      withAttempt(payload, {
        username: credentials.username && HIDDEN,
        password: credentials.password && HIDDEN,
        callbackCount: attempt,
        maxCallbackThreshold: ATTEMPTS_MAX,
      }),
    outgoing({ messageId, requestId, callerRequestId, payload }, { attempt, signedAt, trace }) {
      const body = withAttempt(payload, {
        ...credentials,
        callbackCount: attempt,
        maxCallbackThreshold: ATTEMPTS_MAX,
      });
      const timestamp = Math.floor(signedAt.getTime() / 1_000);
      const signature = signer.sign(messageId, timestamp, body);
      return {
        signedAt,
        mark: markOf(signature),
        url: listener.url,
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          'x-request-id': callerRequestId ?? requestId,
          'webhook-id': messageId,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
          ...(trace !== undefined && { traceparent: trace }),
        },
      };
    },
  };
}

/** Some listeners answer with the request that they received. */
export const withoutSecrets = (outcome: SendOutcome, { masked }: PreparedListener): SendOutcome =>
  outcome.answer === '' && outcome.answerHeaders === undefined
    ? outcome
    : {
        ...outcome,
        answer: masked(outcome.answer),
        ...(outcome.answerHeaders !== undefined && { answerHeaders: masked(outcome.answerHeaders) }),
      };
