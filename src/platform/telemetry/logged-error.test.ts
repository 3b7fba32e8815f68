import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggedError } from './log.ts';

const SECRET = 'what the record said';
const aboutData = (message: string, code = '22P02') =>
  Object.assign(new Error(message), { code, detail: SECRET, table: 't', column: 'c', routine: 'r' });

describe('a logged error', () => {
  for (const message of [
    `invalid input syntax for type integer: "${SECRET}"`,
    `invalid input syntax for type integer: "a quote" and ${SECRET}"`,
    `invalid input syntax for type integer: "\n    at ${SECRET}"`,
    `ungültige Eingabesyntax für Typ integer: „${SECRET}“`,
    `syntaxe en entrée invalide pour le type integer : « ${SECRET} »`,
  ])
    it(`leaves out quoted data: ${JSON.stringify(message)}`, () => {
      const logged = loggedError(aboutData(message));
      assert.doesNotMatch(JSON.stringify(logged), new RegExp(SECRET));
      const { code, table, column, routine } = { column: '', table: '', routine: '', ...logged };
      assert.deepEqual([code, table, column, routine], ['22P02', 't', 'c', 'r']);
      assert.match(logged.message, /integer ?: "…"$/);
      assert.match(logged.stack ?? '', /^\s+at .*logged-error\.test/);
      assert.doesNotMatch(JSON.stringify(loggedError(new Error('x', { cause: aboutData(message) }))), /said/);
    });

  it('keeps the message, stack and cause of any other error', () => {
    const error = new Error('no "room"', { cause: new Error('a "cause"') });
    assert.deepEqual(loggedError(error), {
      type: 'Error',
      message: 'no "room"',
      cause: 'a "cause"',
      stack: error.stack,
    });
  });
});
