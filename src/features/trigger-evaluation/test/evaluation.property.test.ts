import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  ACCOUNTS,
  ALLOWANCE,
  accountOf,
  B,
  type Battery,
  batteryOf,
  ECPD,
  IMEIS,
  KB,
  notification,
} from './battery.ts';
import { makeModel, type NaiveRecord } from './naive-model.ts';

const world = await makeWorld();
await world.import({
  profiles: [{ ecpdId: ECPD }],
  accounts: Object.entries(ACCOUNTS).map(([accountName, account]) => ({
    accountName,
    ecpdId: ECPD,
    ...account,
  })),
  plans: [
    { code: 'P', carrierServicePlanCode: 'CARRIER-P', name: 'P', kind: 'share', allowanceBytes: ALLOWANCE },
  ],
  ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['P'], accounts: [A, B] }],
  devices: IMEIS.map((imei) => ({
    accountName: accountOf(imei),
    imei,
    servicePlan: 'P',
    planSince: '2025-01-01T00:00:00Z',
  })),
});
const { db } = world.ctx;
const idOf = new Map(
  (await db.many<{ imei: string; id: string }>(sql`select imei, device_id as id from device`)).map((d) => [
    d.imei,
    d.id,
  ]),
);

const importBattery = (battery: readonly Battery[]) =>
  world.import({
    pricePlanTriggers: battery.map(({ document }, n) => {
      const { triggerId: id, ...pricePlanTrigger } = document as { triggerId: string };
      return { triggerId: id, triggerName: `t${n}`, ecpdId: ECPD, pricePlanTrigger, notification };
    }),
  });

async function startOver(): Promise<void> {
  await db.exec(sql`truncate usage_record, usage_device_month, usage_account_day, usage_bill_day`);
  await db.exec(sql`truncate firing`);
  await db.exec(sql`delete from price_plan_trigger`);
}

const HOUR_MS = 3_600_000;
const Usage = fc.record({
  imei: fc.constantFrom(...IMEIS),
  /** How long before its batch. */
  agoHours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 24 * 40 })),
  bytes: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1, KB, 3 * KB)),
  repeats: fc.boolean(),
});
const Batches = fc.array(
  fc.record({
    /** The time since the previous batch. */
    afterHours: fc.integer({ min: 0, max: 24 * 8 }),
    usage: fc.array(Usage, { minLength: 1, maxLength: 25 }),
    edit: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('the evaluation of a batch', () => {
  // proves 2.2.1/condition 2.2.1-condition/comparator 2.2.1-condition/threshold 2.2.1-condition/cycleType
  // proves price-plan-triggers/once
  it('fires the same as an evaluation record by record, for any order, repetitions, zones and edits', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), Batches, async (startDay, batches) => {
        run++;
        world.clock.holdAt(new Date(Date.UTC(2026, 0, 20 + startDay)));
        await startOver();
        let edited = false;
        await importBattery(batteryOf(edited));
        const model = makeModel(ACCOUNTS);
        let made = 0;
        for (const { afterHours, usage, edit } of batches) {
          world.pass(afterHours * HOUR_MS);
          if (edit) {
            edited = !edited;
            await importBattery(batteryOf(edited));
          }
          const nowMs = world.clock.now().getTime();
          const records = usage.map(({ imei, agoHours, bytes, repeats }): NaiveRecord & { imei: string } => {
            if (!repeats || made === 0) made++;
            const atMs = nowMs - agoHours * HOUR_MS;
            return {
              id: `${run}-${made}`,
              account: accountOf(imei),
              device: idOf.get(imei)!,
              imei,
              atMs,
              bytes,
            };
          });
          const fed = await world.operator(
            'POST',
            '/usage',
            records.map(({ id, imei, atMs, bytes }) => ({
              id,
              kind: 'imei',
              device: imei,
              at: new Date(atMs).toISOString(),
              bytes,
            })),
          );
          assert.equal(fed.statusCode, 200, fed.body);
          const levels = batteryOf(edited).flatMap((battery) => battery.levels);
          for (const record of records) model.take(record, levels, nowMs);
        }
        const firings = await db.many<object>(sql`
          select trigger_id as trigger, subject, level_kind as kind, level::float8 as level,
            to_char(cycle_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as from,
            counted_before::float8 as before, counted_after::float8 as after, usage_record_id as record, late
          from firing`);
        const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort();
        assert.deepEqual(sorted(firings), sorted(model.firings()));
      }),
      { numRuns: casesOf({ everyday: 4, all: 15 }), endOnFailure: true },
    );
  });
});
