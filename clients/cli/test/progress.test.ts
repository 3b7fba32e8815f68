import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeMove } from '../describe-move.ts';
import { lineOf } from '../progress.ts';

describe('the progress of a move of the clock', () => {
  const move = (now: string) =>
    describeMove(
      { now, offsetMs: 0, frozen: false, ran: 7, movingFrom: '2026-11-01T00:00:00.000Z' },
      '2026-12-01T00:00:00.000Z',
      performance.now(),
    );

  it('is never over all of it, and never beyond where it leads', () => {
    const [share, at, , to] = move('2026-12-01T00:03:00.000Z');
    assert.deepEqual(
      [share, at, to],
      ['[########################] 100%', '2026-12-01 00:03', 'to 2026-12-01 00:03'],
    );
  });

  it('fits on a line of 80 columns with how far it is, where it leads and for how long', () => {
    const [share = '', at = '', , to = '', ran = ''] = move('2026-11-30T23:59:00.000Z');
    assert.equal(lineOf([share, at, '9999 s', to, ran], 79), [share, at, '9999 s', to].join('  '));
  });
});

describe('a line of progress', () => {
  const parts = ['[####----] 50%', '2026-12-01 10:00', '12 s'];
  it('has as many whole parts as fit on the terminal, the first ones first', () => {
    assert.equal(lineOf(parts, 80), '[####----] 50%  2026-12-01 10:00  12 s');
    assert.equal(lineOf(parts, 37), '[####----] 50%  2026-12-01 10:00');
    assert.equal(lineOf(parts, 20), '[####----] 50%');
    assert.equal(lineOf(parts, 5), '[####');
    assert.equal(lineOf([], 80), '');
  });
});
