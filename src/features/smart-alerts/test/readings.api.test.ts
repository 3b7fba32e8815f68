import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { OPERATOR_KEY } from '../../../../test/support/world.ts';
import type { Db } from '../../../platform/db/db.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import { createRuleCache, latestReadingsOf, takeReadings } from '../index.ts';
import { at, ECPD, hotter, imeiOf, makeScene } from './scene.ts';

const { world, deviceIdOf, withRule, feed, feedText, alertsOf, story, callbacks } = await makeScene();
const reading = (n: number, minute: number, values: unknown, more: object = {}) => ({
  kind: 'imei',
  device: imeiOf(n),
  at: at(minute),
  values,
  ...more,
});

describe('POST /operator/v1/readings', () => {
  // proves rules/readings rules/alert-ids
  it('200: accepts lines, an array, events and gzip, and raises and clears an alert with its callbacks', async () => {
    const n = await withRule(hotter(30));
    world.pass(5 * 60_000);
    assert.deepEqual((await feedText(JSON.stringify(reading(n, 0, { t: 20, name: 'a' })))).json(), {
      accepted: 1,
      duplicates: 0,
      late: 0,
      rejected: [],
      rejectedTotal: 0,
    });
    assert.equal((await feedText(JSON.stringify([reading(n, 1, { t: 31 })]))).json().accepted, 1);
    const [raised] = await alertsOf(n);
    assert.deepEqual(
      [raised!.state, raised!.raisedon, raised!.reading, raised!.cause],
      ['raised', at(1), { t: 31, name: 'a' }, 'condition'],
    );
    const event = {
      specversion: '1.0',
      id: '1',
      type: 'reading',
      time: at(2),
      data: { ...reading(n, 0, { t: 32 }), at: undefined },
    };
    assert.equal((await feedText(JSON.stringify([event]))).json().accepted, 1);
    const packed = await world.api.inject({
      method: 'POST',
      url: '/api/operator/v1/readings',
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-encoding': 'gzip' },
      payload: gzipSync(JSON.stringify(reading(n, 3, { t: 30 }))),
    });
    assert.equal(packed.json().accepted, 1, packed.body);
    const [cleared] = await alertsOf(n);
    assert.deepEqual(
      [cleared!.id, cleared!.state, cleared!.clearedon, cleared!.version],
      [raised!.id, 'cleared', at(3), '2'],
    );
    const common = { ruleId: raised!.ruleid, ruleName: `rule ${n}`, deviceid: raised!.deviceid };
    assert.deepEqual(await callbacks(raised!.id), [
      {
        ...common,
        state: 'raised',
        reading: { t: 31, name: 'a' },
        message: `rule ${n}: the condition is met`,
      },
      {
        ...common,
        state: 'cleared',
        reading: { t: 30, name: 'a' },
        message: 'the condition holds no longer',
      },
    ]);
  });

  // proves rules/late-readings
  it('200: rejects records that are invalid, of no device, in the future or too large, and accepts the rest', async () => {
    const n = await withRule(hotter(30));
    const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`);
    const lines = [
      JSON.stringify(reading(n, 0, { t: 1 })),
      JSON.stringify(reading(99_999, 0, { t: 1 })),
      JSON.stringify(reading(n, 60 * 24, { t: 1 })),
      JSON.stringify(reading(n, 0, { t: 1 }, { at: '1970-01-01T00:00:00Z' })),
      JSON.stringify(reading(n, 0, {})),
      JSON.stringify(reading(n, 0, [1])),
      JSON.stringify(reading(n, 0, { t: 1 }, { kind: 'shoe' })),
      JSON.stringify(reading(n, 0, { t: 1 }, { at: 'yesterday' })),
      `{"kind":"imei","device":"${imeiOf(n)}","at":"${at(0)}","values":{"a":{"__proto__":1}}}`,
      JSON.stringify(reading(n, 0, deep)),
      JSON.stringify(reading(n, 0, { t: 'x'.repeat(17_000) })),
      JSON.stringify(reading(n, 0, Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, i])))),
      '{"kind":',
    ];
    const answer = (await feedText(lines.join('\n'))).json();
    assert.deepEqual([answer.accepted, answer.rejectedTotal], [1, 12]);
    const reasons = answer.rejected.map(
      ({ line, reason }: { line: number; reason: string }) => `${line} ${reason}`,
    );
    for (const [i, expected] of [
      /^2 device is not known/,
      /^3 at lies more than 300 seconds in the future/,
      /^4 at is more than 366 days ago/,
      /^5 values/,
      /^6 values/,
      /^7 kind/,
      /^8 at/,
      /^9 values have __proto__/,
      /^10 values have more than 8 levels/,
      /^11 is longer/,
      /^12 values/,
      /^13 is not valid JSON/,
    ].entries())
      assert.match(reasons[i], expected);
  });

  // proves rules/late-readings
  it('200: counts older readings as late and known ones as duplicates, and neither changes anything', async () => {
    const n = await withRule(hotter(30));
    await feed(n, [10, 31], [11, 20]);
    assert.deepEqual(await story(n), [[10, 11]]);
    const again = await feed(n, [10, 31], [11, 20]);
    assert.deepEqual([again.accepted, again.duplicates, again.late], [0, 1, 1]);
    await feed(n, [5, 99]);
    assert.deepEqual(await story(n), [[10, 11]]);
    // At the same time another field, as from sensors that report each value separately.
    await feedText(JSON.stringify(reading(n, 11, { humidity: 5 })));
    const deviceId = await deviceIdOf(n);
    assert.deepEqual(await latestReadingsOf(world.ctx.db, ECPD, [deviceId]), [
      { deviceId, at: new Date(at(11)), values: { t: 20, humidity: 5 } },
    ]);
  });

  it('200: applies readings in time order, and several alerts of a rule from one feed', async () => {
    const n = await withRule(hotter(30));
    await feed(n, [24, 31], [21, 32], [22, 10], [20, 10], [23, 29]);
    assert.deepEqual(await story(n), [
      [21, 22],
      [24, null],
    ]);
  });

  // proves rules/readings
  it('200: leaves a rule unchanged if a reading lacks its field, and never touches rules of other devices', async () => {
    const gateway = await withRule(hotter(30));
    const n = await withRule({ when: { '>': [{ var: 't' }, 30] } });
    await feed(n, [25, 31]);
    await feed(n, [26, 'broken']);
    await feedText(JSON.stringify(reading(n, 26, { other: 1 })));
    assert.deepEqual(await story(gateway), []);
    assert.equal((await story(n)).length, 1);
  });

  it('200: fires once if two feeds send the same readings at the same time', async () => {
    const all = [await withRule(hotter(30)), await withRule(hotter(30)), await withRule(hotter(30))];
    const lines = all.flatMap((n) => [
      reading(n, 27, { t: 31 }),
      reading(n, 28, { t: 10 }),
      reading(n, 29, { t: 40 }),
    ]);
    world.pass(30 * 60_000);
    const policy = {
      cache: createRuleCache(),
      count: () => {},
      share: { limit: concurrencyLimit(2), aheadMs: 0, countGivenUp() {} },
      countReadings: () => {},
    };
    const body = (of: readonly object[]) => Buffer.from(of.map((line) => JSON.stringify(line)).join('\n'));
    const feedOnce = (db: Db, of: readonly object[]) =>
      takeReadings({ ...world.ctx, db }, Readable.from([body(of)]), policy);
    const { db } = world.ctx;
    let second: ReturnType<typeof feedOnce> | undefined;
    // The first feed has done everything except the commit when the second one arrives and waits.
    await db.tx(async (tx) => {
      assert.equal((await feedOnce(tx, lines)).accepted, lines.length);
      second = feedOnce(db, lines.toReversed());
      await untilWaiting(db, { unless: second });
    });
    const { accepted, duplicates, late } = (await second)!;
    assert.deepEqual([accepted, duplicates, late], [0, all.length, all.length * 2]);
    for (const n of all)
      assert.deepEqual(await story(n), [
        [27, 28],
        [29, null],
      ]);
  });

  it('200: accepts a repeated feed as duplicates, even if readings with the same time contradict each other', async () => {
    const n = await withRule(hotter(30));
    const lines = JSON.stringify([31, 10, 32].map((t) => reading(n, 30, { t })));
    assert.equal((await feedText(lines)).json().accepted, 3);
    const before = await alertsOf(n);
    const { accepted, duplicates } = (await feedText(lines)).json();
    assert.deepEqual([accepted, duplicates], [0, 3]);
    assert.deepEqual(await alertsOf(n), before);
  });

  it('200: rejects fields beyond the limit of known fields per device', async () => {
    const n = await withRule(hotter(30));
    const fields = (from: number) =>
      Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`f${from + i}`, i]));
    for (const from of [0, 64, 128, 192]) await feedText(JSON.stringify(reading(n, 30, fields(from))));
    const answer = (await feedText(JSON.stringify(reading(n, 30, { t: 99 })))).json();
    assert.match(answer.rejected[0].reason, /exceed 256 known fields/);
  });

  it('422: reports what was accepted before the body broke off', async () => {
    const n = await withRule(hotter(30));
    const answer = await feedText(`[${JSON.stringify(reading(n, 1, { t: 1 }))},{"kind"`);
    assert.deepEqual([answer.statusCode, answer.json().accepted], [422, 1]);
  });
});
