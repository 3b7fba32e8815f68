import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ORDERS, type Order } from '../devices/device-order.ts';
import { findDevices, type SearchBounds } from '../devices/find-devices.ts';

const { ctx, ...world } = await makeWorld();
const { pick, between } = randomFor('lines in an order');
const NAMES = ['Truck', 'truck', 'Ämter', 'Zebra~1', '', 'x'.repeat(100), 'a b', 'A~', '=1', undefined];
const STATES = ['active', 'suspend', 'deactive', 'pre-active'] as const;

interface Line {
  readonly imei: string;
  readonly name: string | undefined;
  readonly state: string;
  readonly servicePlan: string | undefined;
}
const lines: readonly Line[] = Array.from({ length: 60 }, (_, n) => {
  const state = pick(STATES);
  const servicePlan = state === 'active' || state === 'suspend' ? pick(['P-5MB', 'P-1GB']) : undefined;
  return { imei: String(990000003000000 + n), name: pick(NAMES), state, servicePlan };
});
await world.import({
  ...SMALL_FLEET,
  plans: [...SMALL_FLEET.plans, { code: 'P-1GB', name: '1 GB', kind: 'payAsYouGo' }],
  devices: lines.map(({ imei, name, state, servicePlan }) => ({
    ...{ accountName: ACCOUNT, imei, state, record: name === undefined ? {} : { name } },
    ...(servicePlan !== undefined && { servicePlan }),
  })),
});
const { ecpdId } = await ctx.db.one<{ ecpdId: EcpdId }>(
  sql`select ecpd_id as "ecpdId" from account where account_name = ${ACCOUNT}`,
);
const tenant = { ecpdId, accountName: ACCOUNT as AccountName };
/** By when they were entered: an import enters them in any order. */
const entered = (
  await ctx.db.many<{ imei: string }>(
    sql`select imei from device where account_name = ${ACCOUNT} order by list_number`,
  )
).map(({ imei }) => lines.find((line) => line.imei === imei)!);

/** How the list has to be, told by looking at each line. */
function expected(order: Order, fits: (line: Line) => boolean): string[] {
  const key = ({ name, imei, state, servicePlan }: Line): string => {
    if (order.endsWith('name')) return [...(name ?? imei)].slice(0, 64).join('').toLowerCase();
    if (order.endsWith('state')) return state;
    return order.endsWith('plan') ? (servicePlan ?? '') : '';
  };
  const up = entered
    .filter(fits)
    .toSorted((one, other) => Buffer.compare(Buffer.from(key(one)), Buffer.from(key(other))));
  return (order === 'newest' || order.startsWith('-') ? up.toReversed() : up).map(({ imei }) => imei);
}

async function readAll(order: Order, asked: object, limit: number, bounds?: SearchBounds): Promise<string[]> {
  const all: string[] = [];
  let after: string | undefined;
  do {
    const page = await findDevices(
      ctx.db,
      tenant,
      { search: undefined, ...asked, order, after, limit },
      bounds,
    );
    all.push(...page.devices.map(({ imei }) => imei!));
    after = page.next;
  } while (after !== undefined);
  return all;
}

describe('lines in an order', () => {
  it('are each listed once, page by page, as if the whole list had been sorted', async () => {
    for (const order of ORDERS)
      for (const limit of [1, 7, 60, 100])
        assert.deepEqual(
          await readAll(order, {}, limit),
          expected(order, () => true),
          `${order} by ${limit}`,
        );
  });

  it('are so as well where only some of them match and each page looks at few', async () => {
    for (const order of ORDERS) {
      const bounds = { namedMax: 1, scannedMax: between(1, 20) };
      const active = await readAll(order, { state: 'active' }, 5, bounds);
      assert.deepEqual(
        active,
        expected(order, ({ state }) => state === 'active'),
        order,
      );
      const trucks = await readAll(order, { search: 'TRUCK' }, 3, bounds);
      assert.deepEqual(
        trucks,
        expected(order, ({ name }) => name?.toLowerCase() === 'truck'),
        order,
      );
    }
  });

  it('are found by an index, from either end, however large the account is', async () => {
    await ctx.db.exec(sql`
      insert into device (ecpd_id, device_id, account_name, kind, state, imei, iot, activated_by_sku, ota_updated, labels,
        record, simulation, foreign_id, created_on, last_updated, version, version_id)
      select ecpd_id, gen_random_uuid(), account_name, kind, state, (880000000000000 + n)::text, iot, activated_by_sku,
        ota_updated, labels, jsonb_build_object('name', 'Line ' || n % 977), simulation, foreign_id, created_on, last_updated,
        version, gen_random_uuid()
      from device, generate_series(1, 20000) n where imei = ${lines[0]!.imei}`);
    await ctx.db.exec(sql`vacuum analyze device`);
    for (const order of ORDERS) {
      const asked: string[] = [];
      const told = {
        ...ctx.db,
        many: async (query: { text: string; values: readonly unknown[] }) => {
          const plan = await ctx.db.many({
            ...sql``,
            text: `explain ${query.text}`,
            values: query.values,
            unprepared: true,
          });
          asked.push(JSON.stringify(plan));
          return ctx.db.many(query);
        },
      } as typeof ctx.db;
      const { next } = await findDevices(told, tenant, {
        search: undefined,
        order,
        after: undefined,
        limit: 50,
      });
      await findDevices(told, tenant, { search: undefined, order, after: next!, limit: 50 });
      assert.equal(asked.length, 2);
      for (const plan of asked) {
        assert.match(plan, /device_(listing|name|by_state|by_plan)/, order);
        assert.doesNotMatch(plan, /Sort|Seq Scan/, order);
      }
    }
  });
});
