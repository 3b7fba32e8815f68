import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';
import { readQuery } from '../querying/record-query.ts';
import { recordsStatement } from '../querying/sql-records.ts';

const RECORDS = 100_000;
const world = await makeWorld();
await world.import({ ...SMALL_FLEET, devices: [] });
const { db } = world.ctx;
const tenant = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };

// Indexes are made of all rows at once, which takes a tenth of the time.
const indexes = await db.many<{ name: string; definition: string }>(sql`
  select i.indexname as name, i.indexdef as definition from pg_indexes i
  where i.tablename in ('device', 'device_identifier') and not exists (
    select from pg_constraint c where c.conname = i.indexname)`);
for (const { name } of indexes) await db.exec(trusted(`drop index ${name}`));

// Times, versions and names spread as those of a fleet that grew; every field has a value.
await db.exec(sql`
  insert into device (ecpd_id, device_id, account_name, kind, state, imei, iccid, imsi, msisdn, meid, esn, mac, iot,
    activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id)
  select p.ecpd_id, gen_random_uuid(), ${ACCOUNT}, 'device', 'active', (990000000000000 + n)::text,
    (89148000000000000000 + n)::text, (310150000000000 + n)::text, (15200000000 + n)::text,
    lpad(to_hex(n), 14, 'A'), n::text, null, true, false, true, '[]',
    jsonb_build_object('name', 'name ' || n, 'description', 'shelf ' || n % 5000, 'chipset', 'c' || n % 300,
      'manufacturer', 'm' || n % 200, 'productmodel', 'p' || n % 700, 'hardwareversion', 'h' || n % 250,
      'softwareversion', 's' || n % 260, 'providerid', 'o' || n % 220, 'qrcode', n::text, 'refid', 'r' || n,
      'refidtype', 't' || n % 210, 'serial', 'S' || n, 'sku', 'k' || n % 230, 'parentdeviceid', gen_random_uuid(),
      'customdata', jsonb_build_object('site', n % 400), 'fields', jsonb_build_object('apn', 'a' || n % 350),
      'commands', jsonb_build_object('c', n % 900), 'modelmetadata', jsonb_build_object('m', n % 800)),
    '{}', p.foreign_id, timestamp '2026-01-01' + n % 9000 * interval '1 minute',
    timestamp '2026-02-01' + n % 7000 * interval '1 minute', 1 + n % 50, gen_random_uuid()
  from profile p, generate_series(1, ${RECORDS}::int) n where p.ecpd_id = '9000001'`);
await db.exec(sql`
  insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
  select k.kind, k.value, d.ecpd_id, d.account_name, d.device_id from device d
  cross join lateral (values ('imei', d.imei), ('esn', d.esn)) as k (kind, value)`);
for (const { definition } of indexes) await db.exec(trusted(definition));
await db.exec(sql`analyze device`);
await db.exec(sql`analyze device_identifier`);

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
}
const flatten = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
async function planOf({ text, values }: Query): Promise<readonly Node[]> {
  const query = { ...sql``, text: `explain (format json) ${text}`, values, unprepared: true };
  const [row] = await db.many<{ 'QUERY PLAN': [{ Plan: Node }] }>(query);
  return flatten(row!['QUERY PLAN'][0].Plan);
}

const { call } = await asUser(world);
const [record] = (
  await call('POST', '/dm/v1/devices/actions/query', {
    accountname: ACCOUNT,
    resourceidentifier: { imei: 990000000050000 },
  })
).json();
const PATHS: Record<string, unknown> = {
  'customdata.site': record.customdata.site,
  'fields.apn': record.fields.apn,
  'commands.c': record.commands.c,
  'modelmetadata.m': record.modelmetadata.m,
};
const values: [string, unknown][] = [
  ...Object.entries(record).filter(([, value]) => value !== null && typeof value !== 'object'),
  ...Object.entries(PATHS),
] as [string, unknown][];

/** True of very many records: a page of these is soon found on the way through the account's index. */
const COMMON = new Set(['billingaccountid', 'foreignid', 'state', 'version']);

/** By what owners say, by what the service says, by id (both have the key), by the directory of identifiers. */
const KNOWS_FIELDS = /^device_(record|written|pkey|plan_now|identifier_\w+)$/;

describe(`a selection over ${RECORDS} records`, () => {
  it('is answered from an index that knows its fields, whichever two they are, and never by a scan', async () => {
    assert.ok(values.length > 28);
    const scanned: string[] = [];
    for (const [i, [one, first]] of values.entries()) {
      for (const [two, second] of values.slice(i + 1)) {
        const $selection = { [one]: first, [two]: second };
        const query = readQuery(world.ctx, tenant, 'device', {
          accountname: ACCOUNT,
          filter: { $selection },
        });
        const plan = await planOf(recordsStatement(tenant, query));
        const isCommon = COMMON.has(one) && COMMON.has(two);
        const used = plan.map((node) => node['Index Name'] ?? '');
        const isGood =
          used.some((name) => (isCommon && name === 'device_listing') || KNOWS_FIELDS.test(name)) &&
          !plan.some((node) => /Seq Scan/.test(node['Node Type']));
        if (!isGood) scanned.push(`${one}, ${two}: ${plan.map((node) => node['Node Type'])} ${used}`);
      }
    }
    assert.deepEqual(scanned, []);
  });

  it('without pagination is answered with 10,000 of them, and where the others begin', async () => {
    const ask = (filter: object) =>
      call('POST', '/dm/v1/devices/actions/query', {
        accountname: ACCOUNT,
        filter: { $projection: ['id'], ...filter },
      });
    const all = await ask({ $nopagination: true });
    const next = await ask({ $limitnumber: 1, $page: all.headers['x-next'] });
    const later = await ask({ $limitnumber: 1, $pagenumber: 10_001 });
    assert.equal(all.json().length, 10_000);
    assert.deepEqual(next.json(), later.json());
  });

  it('by identifier goes through the directory', async () => {
    const query = readQuery(world.ctx, tenant, 'device', {
      accountname: ACCOUNT,
      resourceidentifier: { imei: 990000000050000 },
    });
    const used = (await planOf(recordsStatement(tenant, query))).map((node) => node['Index Name']);
    assert.ok(used.includes('device_identifier_pkey'));
    assert.ok(!used.includes('device_listing'));
  });
});
