import type { WebResponse } from './web-types.ts';

/**
 * `refused`: the service answered that it will not. `unreachable`: no answer, and what was asked may have been done.
 * `timedOut`: the same, after the time that was allowed. `unreadable`: what answers is not the service.
 * `latched`: not asked at all, because the credentials were refused before and a user would be locked.
 * `invalid`: not asked either, because a value of the path would have led elsewhere.
 */
export type ErrorKind = 'refused' | 'unreachable' | 'timedOut' | 'unreadable' | 'latched' | 'invalid';

export interface ErrorParts {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly cause?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: unknown;
}

/** Whatever goes wrong with a call, in whichever of its formats the service said so. */
export class LinekeeperError extends Error {
  override readonly name = 'LinekeeperError';
  readonly kind: ErrorKind;
  /** 0 where nothing was answered. */
  readonly status: number;
  /** The service's own code, or the kind where it has none. */
  readonly code: string;
  /** What to name when asking the operator; it is in the log of the service. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The answer as it came, with members that only some errors have, such as `errors` of a fleet document. */
  readonly body: unknown;

  constructor(kind: ErrorKind, message: string, parts: ErrorParts = {}) {
    super(message, { cause: parts.cause });
    this.kind = kind;
    this.status = parts.status ?? 0;
    this.code = parts.code ?? kind;
    this.requestId = parts.requestId;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.body = parts.body;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

interface Said {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly cause?: unknown;
}

/** The gateway, the areas with errorCode, those with error and the operator's RFC 9457, in this order. */
function whatWasSaid(body: unknown): Said {
  const fields = fieldsOf(body);
  const fault = fieldsOf(fields['fault']);
  const join = (...parts: unknown[]) => parts.filter(text).join(': ') || undefined;
  if (text(fault['code']))
    return { code: text(fault['code']), message: join(fault['message'], fault['description']) };
  if (text(fields['errorCode']))
    return { code: text(fields['errorCode']), message: text(fields['errorMessage']) };
  if (text(fields['error'])) {
    const { error, error_description: description, cause } = fields;
    return { code: text(error), message: text(description), cause };
  }
  return { code: text(fields['code']), message: join(fields['title'], fields['detail']) };
}

export function toRefusal(response: WebResponse, body: unknown): LinekeeperError {
  const { status, headers } = response;
  const {
    code = String(status),
    message = `The service answered with status ${status}`,
    cause,
  } = whatWasSaid(body);
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new LinekeeperError('refused', message, {
    status,
    code,
    cause,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    body,
  });
}

/** Which of the two tokens has ended, if it is one of them: they are renewed in different ways. */
export function endedToken(error: unknown): 'bearer' | 'session' | undefined {
  if (!(error instanceof LinekeeperError)) return undefined;
  // A 401 may also say that the user may not use the account: only the gateway speaks of the bearer token.
  if (error.status === 401 && /^90090[12]$/.test(error.code)) return 'bearer';
  if (error.code.includes('.SessionToken.')) return 'session';
  // The location area has one code for everything.
  const inLocation = /^UWS verification failure \((the session|session token)/i.test(error.message);
  return error.code === 'INVALID_PARAMETER' && inLocation ? 'session' : undefined;
}
