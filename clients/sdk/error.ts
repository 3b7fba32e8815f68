import type { WebResponse } from './web-types.ts';

/**
 * `refused`: the service answered with an error. `unreachable`: no answer; the service may still have done
 * the work. `timedOut`: the same, after the time limit. `unreadable`: the answer does not come from the
 * service. `latched`: not sent, because the credentials were refused before and the user would be locked.
 * `invalid`: not sent, because a value would have changed the path.
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

/** Any failure of a call, from any of the service's error formats. */
export class LinekeeperError extends Error {
  override readonly name = 'LinekeeperError';
  readonly kind: ErrorKind;
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  /** The service's own code, or the kind if it has none. */
  readonly code: string;
  /** Quote it when you ask the operator; the service's log has it too. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The raw answer, with members of specific errors, such as `errors` of a fleet document. */
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

/** The formats in this order: the gateway, areas with errorCode, areas with error, and the operator API's RFC 9457. */
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

/** The token that has ended, if any; each is renewed differently. */
export function endedToken(error: unknown): 'bearer' | 'session' | undefined {
  if (!(error instanceof LinekeeperError)) return undefined;
  // A 401 can also mean no access to the account; only the gateway's format means the bearer token.
  if (error.status === 401 && /^90090[12]$/.test(error.code)) return 'bearer';
  if (error.code.includes('.SessionToken.')) return 'session';
  // The location area uses one code for all errors.
  const inLocation = /^UWS verification failure \((the session|session token)/i.test(error.message);
  return error.code === 'INVALID_PARAMETER' && inLocation ? 'session' : undefined;
}
