import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { changeTriggers } from '../../../../test/support/triggers.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ACCOUNT, makeFeedWorld, NOON, ndjson } from '../../usage/test/feed.ts';

const world = await makeFeedWorld();
const { db } = world.ctx;
const LINES = 50;
const imei = (n: number) => `9811111111${String(n % LINES).padStart(5, '0')}`;
await world.import({
  devices: Array.from({ length: LINES }, (_, n) => ({
    accountName: ACCOUNT,
    imei: imei(n),
    servicePlan: 'P-5MB',
  })),
});

/** A valid record of each feed. A marked one has a value that the test recognises in the database. */
const FEEDS = {
  usage: {
    table: sql`usage_record`,
    isMarked: sql`new.bytes = 666`,
    record: (n: number, marked = false) => ({ id: `${n}`, bytes: marked ? 666 : 1 }),
  },
  positions: {
    table: sql`device_position`,
    isMarked: sql`new.radius_m = 666`,
    record: (_: number, marked = false) => ({ lat: 1, lon: 2, radius: marked ? 666 : 1 }),
  },
  readings: {
    table: sql`device_reading`,
    isMarked: sql`new.known::text like '%marked%'`,
    record: (n: number, marked = false) => ({ values: { t: marked ? 'marked' : n } }),
  },
} as const;
type FeedName = keyof typeof FEEDS;

const post = (feed: FeedName, records: readonly object[]) =>
  world.operator('POST', `/${feed}`, ndjson(records));
let made = 0;
const at = (n: number) => new Date(NOON.getTime() - 3_600_000 + n).toISOString();
const recordOf = (feed: FeedName, marked = false) => {
  const n = ++made;
  return { kind: 'imei', device: imei(n), at: at(n), ...FEEDS[feed].record(n, marked) };
};

/** From now on the database refuses marked records with an error of this state. */
async function refuseMarked(feed: FeedName, state: string) {
  const { table, isMarked } = FEEDS[feed];
  await refuseNothing(feed);
  const refuse = {
    text: `create or replace function refuse_marked() returns trigger language plpgsql as $f$ begin
      if ${isMarked.text} then raise exception 'it is marked' using errcode = '${state}'; end if; return new; end $f$`,
    values: [],
  };
  await changeTriggers(
    db,
    refuse,
    sql`create trigger refuse_marked before insert or update on ${table} for each row execute function refuse_marked()`,
  );
}
const refuseNothing = (feed: FeedName) =>
  changeTriggers(db, sql`drop trigger if exists refuse_marked on ${FEEDS[feed].table}`);

// proves usage/rejected-records
for (const feed of ['usage', 'positions', 'readings'] as const)
  describe(`POST /${feed} with records that the database rejects for unknown reasons`, () => {
    beforeEach(() => refuseMarked(feed, '23514'));

    it('200: accepts the others, and lists each rejected one with a reference to the log', async () => {
      const records = Array.from({ length: 40 }, (_, n) => recordOf(feed, n === 0 || n === 17 || n === 39));
      const answer = await post(feed, records);
      assert.equal(answer.statusCode, 200, answer.body);
      const { accepted, rejected } = answer.json();
      assert.equal(accepted, 37);
      assert.deepEqual(
        rejected.map(({ line }: { line: number }) => line),
        [1, 18, 40],
      );
      for (const { reason } of rejected)
        assert.match(reason, /^could not be taken; see the log for [0-9a-f-]{36}$/);
      const metrics = await world.api.inject({ method: 'GET', url: '/metrics' });
      assert.match(metrics.body, new RegExp(`linekeeper_feed_given_up_total\\{feed="${feed}"\\} [1-9]`));
    });

    it('200: accepts the next feed normally', async () => {
      assert.equal((await post(feed, [recordOf(feed)])).json().accepted, 1);
    });

    it('500: stops if there are more than ten in a batch, and reports what was accepted', async () => {
      const records = [recordOf(feed), ...Array.from({ length: 11 }, () => recordOf(feed, true))];
      const answer = await post(feed, records);
      assert.equal(answer.statusCode, 500, answer.body);
      assert.deepEqual([answer.json().accepted, answer.json().rejectedTotal], [1, 10]);
    });

    it('503: if the records are not the cause: nothing is rejected, and the answer says what was accepted before', async () => {
      await refuseMarked(feed, '40P01');
      const answer = await post(feed, [recordOf(feed), recordOf(feed, true)]);
      assert.equal(answer.statusCode, 503, answer.body);
      assert.ok(answer.headers['retry-after']);
      const { accepted, rejected } = answer.json();
      assert.deepEqual([accepted, rejected], [0, []]);
      await refuseMarked(feed, '53100');
      assert.equal((await post(feed, [recordOf(feed, true)])).statusCode, 503);
    });

    it('503: counts what earlier batches and halves of the feed added', async () => {
      await refuseMarked(feed, '40P01');
      const answer = await post(feed, [
        ...Array.from({ length: 5_000 }, () => recordOf(feed)),
        recordOf(feed, true),
      ]);
      assert.deepEqual([answer.statusCode, answer.json().accepted], [503, 5_000], answer.body.slice(0, 500));
      await refuseNothing(feed);
    });
  });

describe('POST /readings newest first, with one that the database rejects', () => {
  it('200: accepts all others, and none of them is late because of it', async () => {
    await refuseMarked('readings', '23514');
    const from = ++made;
    made += LINES + 20;
    const ofOne = (n: number) => ({ kind: 'imei', device: imei(from), at: at(n), values: { t: n } });
    const marked = { ...recordOf('readings', true), device: imei(from + 1) };
    const answer = await post('readings', [...Array.from({ length: 20 }, (_, n) => ofOne(made - n)), marked]);
    const { accepted, late, rejected } = answer.json();
    assert.deepEqual(
      [accepted, late, rejected.map(({ line }: { line: number }) => line)],
      [20, 0, [21]],
      answer.body,
    );
    await refuseNothing('readings');
  });
});

describe('POST /positions newest first, with one that the database rejects', () => {
  it('200: keeps the one with the latest date, also among those dated ahead', async () => {
    await refuseMarked('positions', '23514');
    const ahead = (seconds: number) => new Date(world.ctx.now().getTime() + seconds * 1_000).toISOString();
    const device = imei(0);
    const answer = await post('positions', [
      ...[4, 3, 2, 1].map((n) => ({ kind: 'imei', device, at: ahead(n), lat: n, lon: 0 })),
      { ...recordOf('positions', true), device: imei(1) },
    ]);
    assert.deepEqual([answer.json().accepted, answer.json().rejectedTotal], [4, 1], answer.body);
    const kept = await db.one<{ latitude: number }>(sql`
      select max(latitude)::float8 as latitude from device_position join device using (ecpd_id, device_id) where imei = ${device}`);
    assert.equal(kept.latitude, 4);
    await refuseNothing('positions');
  });
});
