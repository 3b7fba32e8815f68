import { type TSchema, Type } from 'typebox';
import type { FaultDetail, FaultKind } from '../context/fault.ts';
import type { Dialect } from './dialect.ts';
import { type GeneralFault, generalFaults } from './faults.ts';

/** A request may name ten thousand devices; a message names at most this many of those at fault. */
const NAMED_MAX = 10;

function listNamed(named: readonly string[]): string {
  const each = [...new Set(named.map((text) => text.trim()))];
  const more = each.length - NAMED_MAX;
  return `${each.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Clients compare the messages that name devices character by character, so these stay unchanged. */
function withReason({ message }: FaultKind, { reason, named = [] }: FaultDetail): string {
  if (named.length > 0) return `${message}${message.endsWith('.') ? '' : ':'} ${listNamed(named)}`;
  return reason === undefined ? message : `${message.replace(/\.$/, '')}: ${reason}`;
}

const detailOf = ({ reason, named = [] }: FaultDetail): string | undefined =>
  named.length > 0 ? listNamed(named) : reason;

const errorCodeBody: Dialect['body'] = (kind, detail) => ({
  errorCode: kind.code,
  errorMessage: withReason(kind, detail),
});

const strings = (...names: readonly string[]): TSchema =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
const ErrorCode = strings('errorCode', 'errorMessage');
const ErrorAndDescription = strings('error', 'error_description');

const M2M_CODES: Readonly<Record<GeneralFault, string>> = {
  malformed: 'DeserializationFailed',
  invalid: 'UnifiedWebService.INPUT_INVALID.RequestUndefined',
  sessionMissing: 'UnifiedWebService.REQUEST_FAILED.SessionToken.Format',
  sessionExpired: 'UnifiedWebService.REQUEST_FAILED.SessionToken.Expired',
  sessionInvalid: 'UnifiedWebService.INPUT_INVALID.SessionToken.Invalid',
  denied: 'UnifiedWebService.REQUEST_FAILED.AccountName',
  accountUnknownInPath: 'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
  accountUnknownInBody: 'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
  accountMissing: 'UnifiedWebService.INPUT_INVALID.Account.NotDefined',
  multipleAccounts: 'UnifiedWebService.REQUEST_FAILED.MultipleAccounts',
  notFound: 'UnifiedWebService.REQUEST_FAILED.NotFound',
  methodNotAllowed: 'UnifiedWebService.REQUEST_FAILED.MethodNotAllowed',
  keyInFlight: 'UnifiedWebService.REQUEST_FAILED.IdempotencyKey.InFlight',
  tooLarge: 'UnifiedWebService.INPUT_INVALID.RequestTooLarge',
  unsupportedMedia: 'UnifiedWebService.INPUT_INVALID.ContentType',
  keyReused: 'UnifiedWebService.INPUT_INVALID.IdempotencyKey.Reused',
  tooMany: 'UnifiedWebService.REQUEST_FAILED.TooManyRequests',
  internal: 'UnifiedWebService.REQUEST_FAILED.UnexpectedError',
  unavailable: 'UnifiedWebService.REQUEST_FAILED.Unavailable',
};
const m2mCode = (name: GeneralFault) => M2M_CODES[name];

/** Session refusals reach subsc, fota and the v2 triggers under the codes that clients branch on everywhere. */
const codeOrSession =
  (code: (name: GeneralFault, status: number) => string) => (name: GeneralFault, status: number) =>
    name.startsWith('session') ? M2M_CODES[name] : code(name, status);

/** `errorCode` is "the HTTP status code or error code": the status where the interface names no code. */
const locationCode = (name: GeneralFault, status: number): string => {
  if (name === 'denied') return 'INVALID_ACCESS';
  if (status === 500) return 'INTERNAL_ERROR';
  return status === 400 ? 'INVALID_PARAMETER' : String(status);
};

const LOCATION_WORDS = {
  malformed: { message: 'Invalid JSON.' },
  invalid: { message: 'Input Binding Error' },
  denied: { message: 'Access policy denied the operation' },
  accountUnknownInBody: { message: 'Invalid account name' },
  notFound: { status: 400 },
  internal: { message: 'Internal system error.' },
};

export const locationDialect: Dialect = {
  name: 'location',
  errorSchema: ErrorCode,
  body: errorCodeBody,
  faults: generalFaults(locationCode, {
    ...LOCATION_WORDS,
    accountUnknownInPath: { message: 'UWS verification failure (account not found)' },
    sessionMissing: { message: 'UWS verification failure (Session token missing.)' },
    sessionExpired: { message: 'UWS verification failure (The Session has expired.)' },
    sessionInvalid: { message: 'UWS verification failure (Session token invalid.)' },
  }),
};

export const subscriptionDialect: Dialect = {
  name: 'subscription',
  errorSchema: ErrorCode,
  body: errorCodeBody,
  faults: generalFaults(codeOrSession(locationCode), {
    ...LOCATION_WORDS,
    accountUnknownInPath: { message: 'Invalid account name' },
  }),
};

export const m2mDialect: Dialect = {
  name: 'm2m',
  errorSchema: ErrorCode,
  body: errorCodeBody,
  faults: generalFaults(m2mCode, { notFound: { status: 400 } }),
};

/** Callback registration of the firmware area: the same codes as m2m. */
export const fotaDialect: Dialect = { ...m2mDialect, name: 'fota' };

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const triggerDialect: Dialect = {
  name: 'trigger',
  errorSchema: ErrorAndDescription,
  body: (kind, detail) => ({ error: kind.code, error_description: withReason(kind, detail) }),
  faults: generalFaults(
    (name) => (/^(session|account|multiple|denied)/.test(name) ? M2M_CODES[name] : snake(name)),
    {
      accountUnknownInPath: { status: 404 },
      accountUnknownInBody: { status: 404 },
    },
  ),
};

const DESCRIPTION_MAX = 1_000;

export const deviceManagementDialect: Dialect = {
  name: 'device-management',
  errorSchema: strings('error', 'error_description', 'cause'),
  body: (kind, detail) => ({
    error: kind.code,
    error_description: withReason(kind, detail).slice(0, DESCRIPTION_MAX),
    cause: detail.cause ?? detail.reason ?? kind.message,
  }),
  faults: generalFaults(codeOrSession(snake), {
    accountUnknownInPath: { status: 404 },
    accountUnknownInBody: { status: 404 },
  }),
};

export const oauthDialect: Dialect = {
  name: 'oauth',
  errorSchema: ErrorAndDescription,
  body: (kind, detail) => ({ error: kind.code, error_description: withReason(kind, detail) }),
  faults: generalFaults((_, status) => (status < 500 ? 'invalid_request' : 'server_error')),
};

/** RFC 9457; `code` is ours, so that scripts need not compare sentences. */
export const operatorDialect: Dialect = {
  name: 'operator',
  contentType: 'application/problem+json; charset=utf-8',
  errorSchema: Type.Object({
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String(),
    detail: Type.Optional(Type.String()),
    instance: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String(),
          line: Type.Optional(
            Type.Integer({ description: 'Where it stands in a document of more than one line' }),
          ),
          detail: Type.String(),
        }),
      ),
    ),
  }),
  body: (kind, detail, request) => {
    const words = detailOf(detail);
    return {
      type: 'about:blank',
      title: kind.message,
      status: kind.status,
      code: kind.code,
      ...(words !== undefined && { detail: words }),
      instance: `urn:request:${request.id}`,
      ...detail.members,
    };
  },
  faults: generalFaults(snake),
};

/** Like the operator API, but a browser must distinguish "sign in" (401) from "no access" (403). */
export const consoleDialect: Dialect = {
  ...operatorDialect,
  name: 'console',
  faults: generalFaults(snake, {
    sessionMissing: { status: 401, message: 'Nobody is signed in.' },
    sessionExpired: { status: 401, message: 'The session has expired; sign in again.' },
    sessionInvalid: { status: 401, message: 'The session has ended; sign in again.' },
    denied: { status: 403 },
    accountUnknownInPath: { status: 404 },
  }),
};
