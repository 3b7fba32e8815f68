import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { listFleetPositions } from '../list-fleet-positions.ts';

const DEVICES = 20;
const ROUNDS = 30;
const COARSE_LAT = 30;
const PRECISE_LAT = 31;
const { ctx, ...world } = await makeWorld();
await world.import(LOCATION_FLEET);
const { ecpdId } = await ctx.db.one<{ ecpdId: string }>(
  sql`select ecpd_id as "ecpdId" from account where account_name = ${ACCOUNT}`,
);
const tenant = { ecpdId, accountName: ACCOUNT } as never;
const random = randomFor('positions of a fleet');
const numbers = Array.from({ length: DEVICES }, (_, n) => n + 1);
const idOf = new Map(
  (
    await ctx.db.many<{ imei: string; id: string }>(
      sql`select imei, device_id as id from device where imei = any(${numbers.map(imei)}::text[])`,
    )
  ).map((device) => [device.imei, device.id]),
);
const ids = numbers.map((n) => idOf.get(imei(n))!);
await ctx.db.exec(sql`
  insert into device_position (ecpd_id, device_id, accuracy, latitude, longitude, radius_m, at, received_at)
  select ${ecpdId}, id, accuracy, case accuracy when 'coarse' then ${COARSE_LAT}::float8 else ${PRECISE_LAT}::float8 end, -90, 9, now(), now()
  from unnest(${ids}::uuid[]) id, unnest(array['coarse', 'precise']) accuracy`);

interface Rules {
  readonly level: number;
  readonly own: ReadonlyMap<string, number>;
  readonly excluded: ReadonlySet<string>;
  readonly all: boolean;
}
const draw = (): Rules => ({
  level: random.between(0, 3),
  own: new Map(
    random
      .shuffle(ids)
      .slice(0, random.pick([0, 0, 1, 7, DEVICES]))
      .map((id) => [id, random.between(0, 3)]),
  ),
  excluded: new Set(random.shuffle(ids).slice(0, random.pick([0, 0, 1, 5]))),
  all: random.between(1, 10) === 1,
});

async function write({ level, own, excluded, all }: Rules): Promise<void> {
  const key = sql`${ecpdId}, ${ACCOUNT}`;
  await ctx.db.exec(sql`update consent set level = ${level} where account_name = ${ACCOUNT}`);
  await ctx.db.exec(sql`delete from device_consent where account_name = ${ACCOUNT}`);
  await ctx.db.exec(sql`delete from exclusion_list where account_name = ${ACCOUNT}`);
  await ctx.db.exec(sql`
    insert into device_consent (ecpd_id, account_name, device_id, level)
    select ${key}, * from unnest(${[...own.keys()]}::uuid[], ${[...own.values()]}::int[])`);
  await ctx.db.exec(
    sql`insert into exclusion_list (ecpd_id, account_name, all_device, updated_at) values (${key}, ${all}, now())`,
  );
  // Half of them by the device's current identifier, half by the one it had when the entry was made.
  const byNow = [...excluded].map((id, n) => ({ id, now: n % 2 === 0 }));
  const imeiOf = new Map([...idOf].map(([one, id]) => [id, one]));
  for (const { id, now } of byNow) {
    const identifier = now ? imeiOf.get(id)! : `gone ${id}`;
    await ctx.db.exec(
      sql`insert into exclusion (ecpd_id, account_name, identifier) values (${key}, ${identifier})`,
    );
    if (!now)
      await ctx.db.exec(
        sql`insert into excluded_device (ecpd_id, account_name, identifier, device_id) values (${key}, ${identifier}, ${id})`,
      );
  }
}

/** What may be shown of each device: the stored accuracy, only coarse, or nothing. */
function expected({ level, own, excluded, all }: Rules): Map<string, number> {
  const shown = new Map<string, number>();
  for (const id of ids) {
    const holds = own.get(id) ?? level;
    if (all || excluded.has(id) || holds === 3) continue;
    shown.set(id, holds === 2 ? COARSE_LAT : PRECISE_LAT);
  }
  return shown;
}

async function readAll(limit: number): Promise<Map<string, number>> {
  const shown = new Map<string, number>();
  let after: string | undefined = '0';
  while (after !== undefined) {
    const { columns, next } = await listFleetPositions(ctx, tenant, { after, limit });
    const latitudes: number[] = JSON.parse(columns.latitudes);
    for (const [n, id] of (JSON.parse(columns.ids) as string[]).entries()) {
      assert.ok(!shown.has(id), 'each once');
      shown.set(id, latitudes[n]!);
    }
    after = next;
  }
  return shown;
}

describe('positions of a fleet', () => {
  it('are shown as the consent of the account, of each device and the list of exclusions allow', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const rules = draw();
      await write(rules);
      const seen = await readAll(random.pick([3, 100]));
      const sorted = (of: Map<string, number>) => [...of].toSorted();
      assert.deepEqual(sorted(seen), sorted(expected(rules)), `round ${round}: ${JSON.stringify(rules)}`);
    }
  });
});
