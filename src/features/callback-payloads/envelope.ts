import { type Static, type TSchema, Type } from 'typebox';
import { closed, DeviceRefs, FreeForm, OptionalText, RequestId, Text } from './shapes.ts';

/** May be part of the results of requests for many devices. */
const Summary = closed({ devicesRequested: Type.Integer({ minimum: 1 }) });

/** The request that is answered, and its device. */
export interface Answered {
  readonly requestId: string;
  readonly deviceIds: Static<typeof DeviceRefs>;
  readonly comment?: string;
  readonly summary?: Static<typeof Summary>;
}

const optional = ({ comment, summary }: Pick<Answered, 'comment' | 'summary'>) => ({
  ...(comment !== undefined && { comment }),
  ...(summary !== undefined && { summary }),
});

/** The common envelope around one kind of result. */
export const envelopeOf = <R extends TSchema>(deviceResponse: R) =>
  closed({
    requestId: RequestId,
    deviceIds: DeviceRefs,
    deviceResponse,
    status: Type.Enum(['Success']),
    comment: OptionalText,
    summary: Type.Optional(Summary),
  });

/** For services whose results the interface does not describe. */
export const FreeFormPayload = envelopeOf(FreeForm);

export const succeeded = <R>(request: Answered, deviceResponse: R) => ({
  requestId: request.requestId,
  deviceIds: request.deviceIds,
  deviceResponse,
  status: 'Success' as const,
  ...optional(request),
});

export const Fault = closed({
  faultcode: Type.String({ minLength: 1 }),
  faultstring: Text,
  faultactor: OptionalText,
  detail: OptionalText,
});
export type Fault = Static<typeof Fault>;

export const FailurePayload = closed({
  requestId: RequestId,
  deviceIds: Type.Optional(DeviceRefs),
  faultResponse: Fault,
  status: Type.Enum(['Failed']),
  comment: Type.String({ description: 'The same text as faultstring' }),
  summary: Type.Optional(Summary),
});

/** The one failure form: for any request, it has a fault instead of the result. */
export const failed = (
  request: Pick<Answered, 'requestId' | 'summary'> & Partial<Pick<Answered, 'deviceIds'>>,
  fault: Fault,
): Static<typeof FailurePayload> => ({
  requestId: request.requestId,
  ...(request.deviceIds !== undefined && { deviceIds: request.deviceIds }),
  faultResponse: fault,
  status: 'Failed',
  comment: fault.faultstring,
  ...(request.summary !== undefined && { summary: request.summary }),
});

/** The members that belong to an attempt rather than the message. All are at the top level of every body. */
interface Attempt {
  /** Absent, null and empty mean the same: the member is left out. */
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  /** From 1. */
  readonly callbackCount: number;
  readonly maxCallbackThreshold: number;
}

export const MAX_CALLBACK_THRESHOLD = 4;
const ATTEMPT_MEMBERS = ['username', 'password', 'callbackCount', 'maxCallbackThreshold'] as const;

/** The text to store. It omits members of an attempt, even if the payload of an external sender has them. */
export function payloadText(payload: object): string {
  if (Array.isArray(payload)) throw new TypeError('a payload is a JSON object');
  if (!ATTEMPT_MEMBERS.some((name) => Object.hasOwn(payload, name))) return JSON.stringify(payload);
  const own = Object.entries(payload).filter(([name]) => !ATTEMPT_MEMBERS.some((member) => member === name));
  return JSON.stringify(Object.fromEntries(own));
}

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const EMPTY = /^\{\s*\}$/;

const credential = (name: 'username' | 'password', value: string | null | undefined): string =>
  value ? `"${name}":${JSON.stringify(value)},` : '';

/**
 * The body of one attempt. It is assembled as text, because it is built for every attempt. The stored text is an object
 * without these members (see payloadText), so they fit after its first and before its last brace.
 */
export function withAttempt(payload: string, attempt: Attempt): string {
  const last = payload.length - 1;
  if (last < 1 || payload.charCodeAt(0) !== OPEN || payload.charCodeAt(last) !== CLOSE)
    throw new TypeError('a stored payload is the text of a JSON object');
  const credentials = credential('username', attempt.username) + credential('password', attempt.password);
  const own = EMPTY.test(payload) ? '' : `${payload.slice(1, last)},`;
  return `{${credentials}${own}"callbackCount":${attempt.callbackCount},"maxCallbackThreshold":${attempt.maxCallbackThreshold}}`;
}
