import assert from 'node:assert/strict';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const ECPD = '9000001';
export const A = '0000123456-00001';
export const B = '0000123456-00002';
export const KB = 1_024;
export const ALLOWANCE = 8 * KB;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const imei = (n: number) => `9900000000${String(n).padStart(5, '0')}`;
export const triggerId = (n: number) => `7a6d0f5e-9f0a-4c55-8f0e-${String(n).padStart(12, '0')}`;

interface Account {
  readonly timeZone?: string;
  readonly billCycleDay?: number;
}
interface Line {
  readonly imei: string;
  readonly accountName: string;
  readonly servicePlan?: string;
  readonly planSince?: string;
  readonly state?: string;
}

export const paygRule = (
  condition: object,
  accountNameList: readonly string[] = [A],
  action: object = {},
) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList },
    condition,
    action,
  },
});
export const below = (kb: number, cycleType: string, more: object = {}) => ({
  conditionType: 'Individual',
  comparator: 'lt',
  threshold: kb,
  thresholdUnit: 'KB',
  cycleType,
  ...more,
});
export const ageing = (onNumberOfBillCycle: number, accounts: readonly string[] = [A]) =>
  paygRule({ conditionType: 'Aging' }, accounts, { agingDetails: { onNumberOfBillCycle } });

const entry = (n: number, pricePlanTrigger: object, more: object = {}) => ({
  triggerId: triggerId(n),
  triggerName: `t${n}`,
  ecpdId: ECPD,
  pricePlanTrigger,
  notification: { notificationType: 'PerEvent', callback: false },
  ...more,
});

interface Fired {
  readonly trigger: number;
  readonly subject: string;
  readonly from: string;
  readonly level: number;
  readonly at: string;
}
const orderOf = ({ at, from, trigger, subject, level }: Fired) =>
  [at, from, trigger, subject, String(level).padStart(20, '0')].join(' ');
const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Deletes everything of the previous scene. */
async function startOver({ db }: World['ctx']): Promise<void> {
  const tables = await db.many<{ name: string }>(sql`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> 'schema_migration'`);
  // Truncating a hundred tables, nearly all of them empty, takes longer than most tests.
  await db.tx(async (tx) => {
    await tx.exec(sql`set local session_replication_role = replica`);
    const deletes = tables.map(({ name }) => `delete from ${name};`).join(' ');
    await tx.exec({ text: `do $$ begin ${deletes} end $$`, values: [] });
  });
}

interface Wanted {
  /** The initial time. */
  readonly at: string;
  /** The users who may call, if any. */
  readonly people?: object;
  readonly accounts?: Readonly<Record<string, Account>>;
  readonly lines: readonly Line[];
}

/** One world for all scenes of a file, one after the other: creating another takes longer than most tests. */
export async function openClosingScenes() {
  const world = await makeWorld();
  return (wanted: Wanted) => makeClosingScene(world, wanted);
}

/** Two accounts that share a plan with an allowance. */
async function makeClosingScene(world: World, { at, accounts = {}, lines, people = {} }: Wanted) {
  await startOver(world.ctx);
  world.clock.holdAt(new Date(at));
  const { db } = world.ctx;
  await world.import({
    ...people,
    profiles: [{ ecpdId: ECPD }],
    accounts: [A, B].map((accountName) => ({ accountName, ecpdId: ECPD, ...accounts[accountName] })),
    plans: ['P', 'Q'].map((code) => ({
      code,
      carrierServicePlanCode: `CARRIER-${code}`,
      name: code,
      kind: 'share',
      allowanceBytes: ALLOWANCE,
    })),
    ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['P', 'Q'], accounts: [A, B] }],
    devices: lines.map((line) => ({ servicePlan: 'P', planSince: '2025-01-10T12:00:00Z', ...line })),
  });
  const numbers = new Map(
    (await db.many<{ imei: string; id: string }>(sql`select imei, device_id as id from device`)).map((d) => [
      d.id,
      d.imei,
    ]),
  );
  let made = 0;
  async function feedAll(usage: readonly { device: string; at: string; bytes: number }[]) {
    const records = usage.map((one) => ({ id: `r${made++}`, kind: 'imei', ...one }));
    const fed = await world.operator('POST', '/usage', records);
    assert.equal(fed.statusCode, 200, fed.body);
  }
  return {
    world,
    db,
    write: (n: number, pricePlanTrigger: object, more: object = {}) =>
      world.import({ pricePlanTriggers: [entry(n, pricePlanTrigger, more)] }),
    writeAll: (rules: readonly (readonly [n: number, pricePlanTrigger: object, more?: object])[]) =>
      world.import({ pricePlanTriggers: rules.map(([n, rule, more]) => entry(n, rule, more)) }),
    feedAll,
    feed: (device: string, at: string, bytes: number) => feedAll([{ device, at, bytes }]),
    /** Advances as when the operator moves the clock: from due time to due time. */
    async advanceTo(to: string) {
      const answer = await world.operator('POST', '/clock', { set: to });
      assert.equal(answer.statusCode, 200, answer.body);
    },
    /** The service is down until then, and restarts. */
    async wakeAt(to: string) {
      world.clock.holdAt(new Date(to));
      await world.engine.settle();
    },
    /** The firings in order, and then by cycle, trigger, subject and level. */
    fired: async () =>
      (
        await db.many<{
          trigger: string;
          subject: string;
          from: Date;
          level: number;
          kind: string;
          after: number;
          at: Date;
        }>(
          sql`select trigger_id as trigger, subject, cycle_from as "from", level::float8 as level, level_kind as kind,
            counted_after::float8 as after, fired_at as at from firing
            order by fired_at, cycle_from, trigger_id`,
        )
      )
        .map(({ trigger, subject, from, level, kind, after, at }) => ({
          trigger: Number(trigger.slice(-12)),
          subject: numbers.get(subject) ?? subject,
          from: from.toISOString(),
          kind,
          level,
          after,
          at: at.toISOString(),
        }))
        .sort((a, b) => inOrder(orderOf(a), orderOf(b))),
  };
}
