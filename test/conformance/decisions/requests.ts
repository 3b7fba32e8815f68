import { row, type Section, testsIn } from '../row.ts';

const house = testsIn('test/house/http-house.test.ts');
const refusals = testsIn('test/house/refusals.test.ts');
const formats = testsIn('test/house/error-formats.test.ts');
const normalise = testsIn('src/platform/http/normalise.test.ts');
const access = testsIn('src/platform/http/test/access.test.ts');
const idempotency = testsIn('src/platform/http/test/idempotency.test.ts');
const sessions = testsIn('src/features/sessions/test/sessions.api.test.ts');
const location = testsIn('src/features/sessions/test/location-sessions.api.test.ts');
const tokens = testsIn('src/features/sessions/test/tokens.api.test.ts');
const credentials = testsIn('src/features/sessions/test/credentials.test.ts');
const callerId = testsIn('test/flows/caller-request-id.flow.test.ts');
const nodes = testsIn('test/flows/access-across-nodes.flow.test.ts');

const bodies: Section = {
  number: 'D1',
  title: 'Bodies, headers and errors',
  rows: [
    row(
      'content type',
      'a body is JSON whatever the header says',
      house('are read as JSON with Content-Type <type>'),
    ),
    row('unknown fields', 'are ignored', house('may hold fields that nobody knows')),
    row(
      'null',
      'in an optional field it is absent',
      normalise('takes null for an optional field as absent, and never as false'),
    ),
    row(
      'enumerations, booleans',
      'any letter case; booleans of triggers as text',
      normalise(
        'reads enumerations in any letter case, also inside lists',
        'reads "true" and "false" as booleans only where the field says so',
      ),
    ),
    row(
      'formats',
      'every area refuses in its own',
      formats('<method> <path>: refuses in the format of its area'),
      house('405: is refused in the format of the area, with what is allowed'),
      refusals('415: but the encoding <encoding> is refused in the format of the area'),
    ),
    row(
      'bearer',
      'absent and wrong have codes of their own, the same in every area; so has an unknown path',
      house(
        '401: names a missing bearer 900902',
        '401: names <bearer> 900901 Invalid Credentials',
        '404: names the unknown path <path> 900906',
      ),
    ),
    row(
      'session',
      'absent, unknown and expired are told apart, in the location area in words of its own',
      sessions('that is absent, malformed or unknown is told apart by its code'),
      location('400: a session that is absent, unknown or expired, each in its words'),
    ),
    row(
      'access',
      'an account of somebody else is a 401 on every route, whatever the body',
      access(
        "refuses another customer's with 401, one that does not exist with 400, and what is no name before both",
      ),
      sessions('opens no account of another customer: 401, and the same for data that would be there'),
    ),
    row(
      'account not named',
      "the session's only one, or a refusal",
      access("takes the session's only account, also for null", 'asks for it when the session has several'),
    ),
    row(
      'descriptions in device management',
      'at most 1,000 characters',
      formats('of device management has at most 1,000 characters of description'),
    ),
    row(
      'request ids',
      'one on every answer; a harmless one that was sent is kept, and travels into callback headers',
      house(
        'are given to every answer, refusals included',
        'are echoed when sent as X-Request-Id or x-correlator',
        'that could do harm in a log are replaced',
      ),
      callerId(
        'is the one that the caller sent, under either name, while the body keeps its own',
        'stays the same in every attempt and in a re-send, whoever asks for that',
      ),
    ),
    row(
      'idempotency keys',
      'once for each user and key, replayed for a day, refused with another body and while under way; no failure and no secret is kept',
      idempotency(
        'acts once and is answered the same again, status and body, but never with a secret header',
        'belongs to the user, so two users may choose the same key',
        '422: is refused with another body',
        '409: is refused while the first is still being worked on',
        'keeps no failure of the service: the next try acts',
        'is forgotten after a day',
      ),
    ),
    row(
      'rate limits',
      'logins by user and address; others by a setting, with the headers that tell',
      sessions('429: limits the logins of one user from one address, and of no other'),
      house('429: are limited where the setting says so, with the headers that tell'),
    ),
  ],
};

const signIn: Section = {
  number: 'D2',
  title: 'Tokens and sessions',
  rows: [
    row(
      'token',
      'the same within its hour, with what remains of it; revoking ends it',
      tokens(
        '200: gives the same token inside the hour, with what remains of it, and a new one after',
        '200: ends the token at once, echoes it in a header, and the next request mints a new one',
      ),
    ),
    row(
      'wrong client or grant',
      'refused in the words of OAuth',
      tokens(
        '401: says in OAuth words that the client is unknown or its secret wrong',
        '400: refuses another grant, or none',
      ),
    ),
    row(
      'session',
      '20 minutes from its last use, several side by side',
      sessions(
        'slides: each use gives it 20 minutes more, and then it is expired, not unknown',
        '200: lets several sessions of one user live side by side',
      ),
    ),
    row(
      'lock',
      'after five failures in a row, which it says; the operator can lift it',
      sessions(
        '400: says how many attempts are left, locks at the fifth, and says so even to the right password',
        '400: counts failures in a row only',
        'unlocks a user',
      ),
    ),
    row(
      'expired sessions',
      'are known as such for a day',
      sessions('is remembered as expired for a day, then forgotten'),
    ),
    row(
      'storage',
      'nothing in clear, valid on every node',
      tokens('no token or secret lies in the database in clear'),
      nodes('both know a token and a session that one of them gave'),
    ),
    row(
      'whose credentials',
      'those of the home account, or for a primary account of anybody who may use it',
      credentials('a session is at home in the first account of its user only, primary or not'),
      testsIn('src/features/managed-accounts/test/add.api.test.ts')(
        'is open to a user who may use the account, also when it manages nobody yet',
      ),
    ),
  ],
};

export const requests: readonly Section[] = [bodies, signIn];
