import { row, type Section, testsIn } from '../row.ts';

const listeners = testsIn('src/features/callbacks/test/listeners.api.test.ts');
const connects = testsIn('src/adapters/callback-http/test/where-it-connects.test.ts');
const rules = testsIn('src/adapters/callback-http/test/address-rules.test.ts');
const https = testsIn('src/adapters/callback-http/test/https.test.ts');
const send = testsIn('src/adapters/callback-http/test/send.test.ts');
const answers = testsIn('src/adapters/callback-http/test/answers.test.ts');
const attempts = testsIn('test/flows/callback-attempts.flow.test.ts');
const resend = testsIn('test/flows/callback-resend.flow.test.ts');
const purge = testsIn('test/flows/callback-purge.flow.test.ts');
const recorded = testsIn('src/features/callbacks/test/record-attempts.test.ts');
const clock = testsIn('src/features/operator/test/clock.api.test.ts');
const operator = testsIn('src/features/operator/test/operator.api.test.ts');

const sending: Section = {
  number: 'D8',
  title: 'Callbacks',
  rows: [
    row(
      'registration',
      'three paths, one registry; answers have both spellings, a listener without url lists the word undefined',
      listeners(
        '200: takes every name of the interface in any letter case, on every path into one registry',
        '200: answers both spellings of the names, and the secret in a header',
        '200: without a url it lists as the word undefined',
      ),
    ),
    row(
      'secret',
      'kept when a listener is replaced, rotated when asked; both sign for a day',
      listeners('200: replaces a listener whole, keeps its secret, and rotates it when asked to'),
      attempts('is signed with both secrets for a day while they rotate'),
    ),
    row(
      'addresses',
      'public at registration and on the socket that is used, others by a setting',
      connects(
        'no spelling of a host and no DNS answer leads to a connection that is not public',
        'a name that is moved to loopback after registration is refused and not connected to',
        'a socket whose peer is not allowed is closed before a byte is written',
      ),
      rules('a range is open only when it is public or the setting names it'),
    ),
    row(
      'certificates',
      'verified on every session',
      https(
        'a certificate that does not hold is refused by its reason, and nothing is sent',
        'every socket makes a session of its own, with the name of the host',
      ),
    ),
    row('redirects', 'are not followed', send('any status is an answer, and a redirect is not followed')),
    row(
      'attempts',
      'four, the next 300 s after the end of the last, never early',
      attempts(
        'gets four attempts, each 300 s after the end of the one before and never early, then it has failed',
      ),
    ),
    row(
      'answers of listeners',
      'the first 8 KiB are kept',
      answers('an answer of up to 8 KiB is kept whole, and of a longer one the first 8 KiB'),
    ),
    row(
      'signature',
      'credentials in the body, headers that verify',
      attempts('arrives with the credentials, its count and a signature that verifies'),
    ),
    row(
      'no listener',
      'failed with no attempt, and can be sent again, counting from 1 under the same id',
      resend(
        'without a listener wait in the archive and are re-sent by request id, counting from 1',
        're-sent by the operator are a new series with the same webhook id',
        'are made by removing a listener, at once',
      ),
    ),
    row(
      'kept',
      'failed ones 30 days, delivered ones 7',
      purge('keeps failed ones for 30 days and delivered ones for 7'),
    ),
    row(
      'changed listener',
      'gets the next attempt at its new address',
      attempts('whose listener changed gets its next attempt at the new address, with the new credentials'),
    ),
    row(
      'dead listener',
      'slows nobody else',
      send('one listener that never answers does not hold up another'),
    ),
    row(
      'fencing',
      'who has lost its lane records nothing',
      recorded('are recorded only for the lanes whose lease is still held'),
    ),
  ],
};

const time: Section = {
  number: 'D9',
  title: 'Time and data that people own',
  rows: [
    row(
      'moving the clock',
      'lives through everything that falls due, each at its own time; only in a sandbox with one process',
      clock(
        '200: advances through everything that falls due, each at its own time',
        '409: stands outside the sandbox, and with a second process',
      ),
    ),
    row(
      'erasing',
      'coordinates, and an account with all that belongs to it',
      operator(
        'lose their coordinates when the operator erases them',
        'go with all that belongs to them, and leave the others alone',
      ),
    ),
    row(
      'pauses',
      'of trigger actions, while alerts go on, and of one listener',
      operator('of trigger actions and of one listener can be set and lifted'),
      testsIn('src/features/trigger-actions/test/suspend.test.ts')(
        'alerts and does nothing while actions are paused, and what it left undone stays so',
      ),
    ),
  ],
};

export const callbacks: readonly Section[] = [sending, time];
