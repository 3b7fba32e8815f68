import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MoveNow } from '../../../platform/clock/clock.ts';
import type { SendOutcome } from '../send-callback.ts';
import { SilentListeners } from './silence.ts';

const LANE = { ecpdId: 'p', accountName: '1-1', serviceName: 's' } as never;
const OTHER = { ecpdId: 'p', accountName: '2-2', serviceName: 's' } as never;
const LATE: SendOutcome = {
  status: null,
  error: 'no answer in 15 s',
  isLate: true,
  latencyMs: 1,
  answer: '',
};
const REFUSED: SendOutcome = { status: null, error: 'connection refused', latencyMs: 1, answer: '' };
const ANSWERED: SendOutcome = { status: 503, error: null, latencyMs: 1, answer: '' };
/** One message that the move waits for, and one that a call has posted during the move. */
const MINE = { moveNr: 1 };
const CALLED = { moveNr: 2 };
const NONE: ReadonlySet<typeof MINE> = new Set();

function open() {
  let move: MoveNow | undefined = { nr: 1, step: 0 };
  const silence = new SilentListeners({ move: () => move });
  return {
    silence,
    next(changed: MoveNow | undefined = { nr: 1, step: (move?.step ?? 0) + 1 }) {
      move = changed;
    },
    end() {
      move = undefined;
    },
    late: (sent: ReadonlySet<typeof MINE> = NONE) => silence.ended(LANE, MINE, LATE, sent),
  };
}

describe('a listener during a clock move', () => {
  it('is silent for the rest of a stop once all concurrent attempts have timed out', () => {
    const { silence, late, next } = open();
    late(new Set([MINE]));
    assert.equal(silence.isGivenUp(LANE, MINE), false, 'another attempt is still under way');
    late();
    assert.equal(silence.isGivenUp(LANE, MINE), true);
    assert.equal(silence.isGivenUp(OTHER, MINE), false);
    next();
    assert.equal(silence.isGivenUp(LANE, MINE), false);
  });

  it('is not silent if it answered at that stop, or if nothing timed out', () => {
    const { silence, late, next } = open();
    silence.ended(LANE, CALLED, ANSWERED, NONE);
    late();
    assert.equal(silence.isGivenUp(LANE, MINE), false);
    next();
    silence.ended(LANE, MINE, REFUSED, NONE);
    assert.equal(silence.isGivenUp(LANE, MINE), false);
  });

  it('gets half the time after each silent stop, and all of it after an answer and in the next move', () => {
    const { silence, late, next } = open();
    const shares: number[] = [];
    for (let stop = 0; stop < 3; stop++, next()) {
      late();
      shares.push(silence.patience(LANE, MINE));
    }
    assert.deepEqual(shares, [0.5, 0.25, 0.125]);
    silence.ended(LANE, MINE, ANSWERED, NONE);
    assert.equal(silence.patience(LANE, MINE), 1);
    late();
    next();
    late();
    next({ nr: 2, step: 0 });
    assert.equal(silence.patience(LANE, MINE), 1);
  });

  it('gets messages posted by calls as usual', () => {
    const { silence, late, end } = open();
    late();
    assert.deepEqual([silence.isGivenUp(LANE, CALLED), silence.patience(LANE, CALLED)], [false, 1]);
    end();
    assert.deepEqual([silence.isGivenUp(LANE, MINE), silence.patience(LANE, MINE)], [false, 1]);
  });
});

describe('the next message of a lane', () => {
  const waiting = [CALLED, CALLED, MINE];

  it('is the first if there is a place', () => {
    assert.equal(open().silence.choose(LANE, waiting, { hasPlace: true, sent: NONE }), 0);
  });

  it('is one of the move if messages of calls have all places and none of the move is under way', () => {
    const { silence, end } = open();
    const full = { hasPlace: false, sent: new Set([CALLED]) };
    assert.equal(silence.choose(LANE, waiting, full), 2);
    assert.equal(silence.choose(LANE, [CALLED], full), -1);
    assert.equal(silence.choose(LANE, waiting, { hasPlace: false, sent: new Set([MINE]) }), -1);
    end();
    assert.equal(silence.choose(LANE, waiting, full), -1);
  });

  it('is one that is given up, whatever is under way', () => {
    const { silence, late } = open();
    late();
    assert.equal(silence.choose(LANE, waiting, { hasPlace: false, sent: new Set([MINE]) }), 2);
  });
});
