import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../test/support/seeded-random.ts';
import { FEED_NAMES, type FeedName } from './feed.ts';
import { createFeedWatch } from './feed-watch.ts';

const AT = new Date('2026-01-05T00:00:00Z');
const reject = (...reasons: string[]) => reasons.map((reason, line) => ({ line, reason }));

describe('the feeds of a process', () => {
  it('are counted as if every batch had been kept', () => {
    const random = randomFor('batches that are kept');
    let nowMs = 0;
    const watch = createFeedWatch({ now: () => new Date(AT.getTime() + nowMs), nowMs: () => nowMs });
    const kept: { feed: FeedName; atMs: number; taken: number; reasons: string[] }[] = [];
    for (let step = 0; step < 500; step++) {
      nowMs += random.between(0, 9_000);
      const feed = random.pick(FEED_NAMES);
      const reasons = Array.from({ length: random.between(0, 3) }, () => `reason ${random.between(1, 14)}`);
      const taken = random.between(0, 5_000);
      watch.noteBatch(feed, taken, reject(...reasons));
      kept.push({ feed, atMs: nowMs, taken, reasons });
      for (const status of watch.status()) {
        const own = kept.filter((batch) => batch.feed === status.feed);
        const sum = (of: (batch: (typeof kept)[number]) => number, some = own) =>
          some.reduce((all, batch) => all + of(batch), 0);
        const second = Math.floor(nowMs / 1_000);
        const recent = own.filter(({ atMs }) => {
          const cameIn = Math.floor(atMs / 1_000);
          return cameIn < second && cameIn >= second - 60;
        });
        assert.equal(
          status.taken,
          sum((batch) => batch.taken),
        );
        assert.equal(
          status.rejected,
          sum((batch) => batch.reasons.length),
        );
        assert.equal(status.ratePerSecond, sum((batch) => batch.taken + batch.reasons.length, recent) / 60);
        const newest = own.flatMap((batch) => batch.reasons).reverse();
        assert.deepEqual(
          status.reasons.map(({ reason }) => reason),
          [...new Set(newest)].slice(0, 10),
        );
      }
    }
  });

  it('keep a reason in a form that the database can store, whatever a record holds', () => {
    const watch = createFeedWatch({ now: () => AT });
    watch.noteBatch('usage', 0, reject(`half \ud800 and \0 and ${'x'.repeat(500)}`, `${'y'.repeat(199)}😀`));
    const reasons = watch.status()[0]!.reasons.map(({ reason }) => reason);
    assert.ok(reasons.every((reason) => reason.isWellFormed() && !reason.includes('\0')));
    assert.ok(reasons.every(({ length }) => length <= 200));
  });
});
