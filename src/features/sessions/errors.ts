import { defineFaults } from '../../platform/context/fault.ts';

export const loginFaults = defineFaults({
  wrongPassword: {
    status: 400,
    code: 'UnifiedWebService.INPUT_INVALID.Password.Invalid',
    message: 'Wrong username or password',
  },
  locked: {
    status: 400,
    code: 'UnifiedWebService.REQUEST_FAILED.User.Locked',
    message: 'The user is locked after too many failed logins',
  },
  disabled: {
    status: 400,
    code: 'UnifiedWebService.REQUEST_FAILED.User.Disabled',
    message: 'The user is disabled; the operator can enable it',
  },
});

/** The words of RFC 6749. */
export const oauthFaults = defineFaults({
  invalidRequest: { status: 400, code: 'invalid_request', message: 'grant_type is missing' },
  unsupportedGrant: {
    status: 400,
    code: 'unsupported_grant_type',
    message: 'Only grant_type=client_credentials is supported',
  },
  invalidClient: { status: 401, code: 'invalid_client', message: 'Unknown client or wrong secret' },
  missingToken: { status: 400, code: 'invalid_request', message: 'token is missing' },
  tooMany: { status: 429, code: 'invalid_request', message: 'Too many failed attempts; try again later' },
});
