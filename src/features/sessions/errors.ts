import { defineFaults, fault, faultsOf } from '../../platform/context/fault.ts';

const { failed, invalid } = faultsOf('UnifiedWebService');

export const loginFaults = defineFaults({
  wrongPassword: invalid('Password.Invalid', 'Wrong username or password'),
  locked: failed('User.Locked', 'The user is locked after too many failed logins'),
  disabled: failed('User.Disabled', 'The user is disabled; the operator can enable it'),
});

/** Error codes of RFC 6749. */
export const oauthFaults = defineFaults({
  invalidRequest: fault(400, 'invalid_request', 'grant_type is missing'),
  unsupportedGrant: fault(400, 'unsupported_grant_type', 'Only grant_type=client_credentials is supported'),
  invalidClient: fault(401, 'invalid_client', 'Unknown client or wrong secret'),
  missingToken: fault(400, 'invalid_request', 'token is missing'),
  tooMany: fault(429, 'invalid_request', 'Too many failed attempts; try again later'),
});
