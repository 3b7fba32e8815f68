import type { FaultKind } from '../context/fault.ts';

/** Errors that are possible in any area; each dialect gives every row its own code and words. */
const GENERAL_FAULTS = {
  malformed: [400, 'The body is not valid JSON.'],
  invalid: [400, 'The request does not have the expected shape'],
  sessionMissing: [400, 'Session token missing.'],
  sessionExpired: [400, 'The Session has expired.'],
  sessionInvalid: [400, 'Session token invalid.'],
  denied: [401, 'The user has no access to the account.'],
  accountUnknownInPath: [400, 'Account not found.'],
  accountUnknownInBody: [400, 'Account not found.'],
  accountMissing: [400, 'accountName is a required field.'],
  multipleAccounts: [400, 'The session has access to several accounts; accountName is needed.'],
  notFound: [404, 'Not found.'],
  methodNotAllowed: [405, 'This method is not allowed here.'],
  keyInFlight: [409, 'A request with this Idempotency-Key is still being worked on.'],
  tooLarge: [413, 'The body is too large.'],
  unsupportedMedia: [415, 'This content type or encoding is not supported.'],
  keyReused: [422, 'This Idempotency-Key was used with another body.'],
  tooMany: [429, 'Too many requests; try again later.'],
  internal: [500, 'Internal system error.'],
  unavailable: [503, 'The service is not available at the moment; try again later.'],
} as const satisfies Record<string, readonly [number, string]>;

export type GeneralFault = keyof typeof GENERAL_FAULTS;
export type GeneralFaults = Readonly<Record<GeneralFault, FaultKind>>;

/** `codes` names every row; `words` and `status` differ only if the interface says so. */
export function generalFaults(
  code: (name: GeneralFault, status: number) => string,
  exceptions: Partial<Record<GeneralFault, Partial<FaultKind>>> = {},
): GeneralFaults {
  const rows = Object.entries(GENERAL_FAULTS).map(([name, [status, message]]) => [
    name,
    { status, code: code(name as GeneralFault, status), message, ...exceptions[name as GeneralFault] },
  ]);
  return Object.freeze(Object.fromEntries(rows));
}

/** Refusals of the gateway in front of all areas: one format, whatever the area. */
export const gatewayFaults = {
  missing: { status: 401, code: '900902', message: 'Missing Credentials', gateway: true },
  invalid: { status: 401, code: '900901', message: 'Invalid Credentials', gateway: true },
  noResource: {
    status: 404,
    code: '900906',
    message: 'No matching resource found in the API for the given request',
    gateway: true,
  },
  unreadable: { status: 400, code: '400', message: 'Bad Request', gateway: true },
  misdirected: { status: 421, code: '421', message: 'Misdirected Request', gateway: true },
  tooSlow: { status: 408, code: '408', message: 'Request Timeout', gateway: true },
  headersTooLarge: { status: 431, code: '431', message: 'Request Header Fields Too Large', gateway: true },
} as const satisfies Record<string, FaultKind & { gateway: true }>;

export const GATEWAY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  '900902':
    'Required OAuth credentials were not given. Send the header Authorization: Bearer <access token>.',
  '900901': 'Access token is unknown, revoked or expired. Ask for a new one at /ts/v1/oauth2/token.',
  '900906': 'Check the path and its version.',
  '400': 'What was sent is not a valid HTTP request.',
  '408': 'The request did not arrive in time.',
  '421': 'Browsers may not call the service under this host name. LINEKEEPER_ALLOWED_HOSTS adds a name.',
  '431': 'The headers of the request are too large.',
};
