import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { reconcileUsage } from '../../usage/index.ts';
import { listBillMonths } from '../billing/get-bill.ts';
import { consoleFaults } from '../errors.ts';

const HOUR_MS = 3_600_000;
const ZONES = ['UTC', 'America/Chicago', 'Asia/Tokyo', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'];
const ROUNDS = 4;
const START = Date.UTC(2026, 0, 1);

const world = await makeWorld();
const account = (round: number) => `0000123456-0000${round}` as AccountName;
const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
const localTime = (timeZone: string, atMs: number) =>
  new Date(`${formats.get(timeZone)!.format(atMs).replace(' ', 'T')}Z`);

interface Settings {
  readonly timeZone: string;
  readonly billCycleDay: number;
}

function isBoundary({ timeZone, billCycleDay }: Settings, atMs: number): boolean {
  const at = localTime(timeZone, atMs);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return at.getUTCHours() === 0 && at.getUTCDate() === Math.min(billCycleDay, last);
}

/** Hour by hour: the name of the month that an instant is billed in. */
function monthsOf(
  first: Settings,
  changes: readonly { atMs: number; settings: Settings }[],
  untilMs: number,
) {
  const starts: { atMs: number; month: string }[] = [];
  let rule = first;
  for (let atMs = START - 40 * 24 * HOUR_MS; atMs <= untilMs; atMs += HOUR_MS) {
    if (!isBoundary(rule, atMs)) continue;
    rule = changes.findLast((change) => change.atMs < atMs)?.settings ?? first;
    starts.push({ atMs, month: localTime(rule.timeZone, atMs).toISOString().slice(0, 7) });
  }
  return (atMs: number) => starts.findLast((start) => start.atMs <= atMs)!.month;
}

describe('the bills of an account', () => {
  // proves billing/period usage/boundaries
  it('together have every record once, in the month of its cycle, whatever changes of zone and bill-cycle day were made', async () => {
    const random = randomFor('bills of moved cycles');
    for (let round = 1; round <= ROUNDS; round++) {
      const tenant = { ecpdId: '9000001' as EcpdId, accountName: account(round) };
      const drawSettings = (): Settings => ({
        timeZone: random.pick(ZONES),
        billCycleDay: random.pick([1, 2, 15, 28, 31]),
      });
      const first = drawSettings();
      world.clock.holdAt(new Date(START));
      const device = `99000000000000${round}`;
      await world.import({
        profiles: [{ ecpdId: tenant.ecpdId }],
        plans: [{ code: 'P', carrierServicePlanCode: 'P', kind: 'payAsYouGo' }],
        accounts: [{ ...tenant, ...first }],
        devices: [
          {
            accountName: tenant.accountName,
            imei: device,
            servicePlan: 'P',
            planSince: '2025-01-01T00:00:00Z',
          },
        ],
      });
      const changes: { atMs: number; settings: Settings }[] = [];
      const fed: { atMs: number; bytes: number }[] = [];
      let nowMs = START;
      for (let step = 0; step < 5; step++) {
        const untilMs = nowMs + random.between(1, 30 * 24 * 60) * 60_000;
        const records = Array.from({ length: 60 }, () => {
          const atMs = random.between(nowMs / 60_000, untilMs / 60_000) * 60_000;
          // Many records around the ends of cycles.
          const edgeMs = Date.UTC(2026, random.between(0, 5), 1) + random.between(-15, 15) * HOUR_MS;
          return {
            atMs: edgeMs > nowMs && edgeMs < untilMs ? edgeMs : atMs,
            bytes: random.between(1, 1_000),
          };
        });
        nowMs = untilMs;
        world.clock.holdAt(new Date(nowMs));
        const usage = records.map(({ atMs, bytes }, n) => {
          return {
            id: `r${round}-${step}-${n}`,
            device,
            kind: 'imei',
            at: new Date(atMs).toISOString(),
            bytes,
          };
        });
        const { statusCode, body } = await world.operator('POST', '/usage', usage);
        assert.equal(statusCode, 200, body);
        fed.push(...records);
        const settings = drawSettings();
        changes.push({ atMs: nowMs, settings });
        await world.import({ accounts: [{ ...tenant, ...settings }] });
      }
      const monthOf = monthsOf(first, changes, nowMs);
      const expected = new Map<string, number>();
      for (const { atMs, bytes } of fed)
        expected.set(monthOf(atMs), (expected.get(monthOf(atMs)) ?? 0) + bytes);
      const { months } = await listBillMonths(world.ctx, tenant, consoleFaults.noDevice);
      const billed = months.filter(({ totalBytes }) => totalBytes > 0);
      assert.deepEqual(
        billed.map(({ month, totalBytes }) => [month, Number(totalBytes)]),
        [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
        JSON.stringify({ first, changes }),
      );
      for (let step = await reconcileUsage(world.ctx, tenant, undefined); ; ) {
        assert.deepEqual(step.differences, []);
        if (step.next === undefined) break;
        step = await reconcileUsage(world.ctx, tenant, step.next);
      }
    }
  });
});
