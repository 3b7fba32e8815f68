import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOnCluster } from '../../../../test/support/citus.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';
import type { RecordKind } from '../querying/fields.ts';
import { SNAPSHOT } from '../querying/query-records.ts';
import { parseQuery } from '../querying/record-query.ts';
import { recordsStatement } from '../querying/sql-records.ts';

/**
 * A thirty-second of 100,000 records, with each value as frequent as among all of them. A scan or a walk in order is
 * that much cheaper here, while an index finds the same number of rows. So an index chosen here is also chosen there.
 */
const RECORDS = 3_125;
const world = await makeWorld();
await world.import({ ...SMALL_FLEET, devices: [] });
const { db } = world.ctx;
const tenant = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };

// Times and names are spread like those of a growing fleet, with fifty versions; every field has a value.
const WRITTEN = sql`p.foreign_id, timestamp '2026-01-01' + n % 281 * interval '1 minute',
  timestamp '2026-02-01' + n % 219 * interval '1 minute', 1 + n % 50, gen_random_uuid()`;
const each = (first = 1, count = RECORDS) =>
  sql`from profile p, generate_series(${first}::int, ${first + count - 1}::int) n where p.ecpd_id = '9000001'`;

// Rows are inserted without indexes and without checking references, which take most of the time.
const TABLES = ['device', 'device_identifier', 'user_profile', 'rule'];
const indexes = await db.many<{ name: string; definition: string }>(sql`
  select i.indexname as name, i.indexdef as definition from pg_indexes i
  where i.tablename = any(${TABLES}::text[]) and not exists (select from pg_constraint where conname = i.indexname)`);
for (const { name } of indexes) await db.exec(sql`drop index ${trusted(name)}`);
const DEVICES = { device: 1, gateway: 100_001, sensor: 200_001 } as const;
await db.tx(async (tx) => {
  await tx.exec(sql`set local session_replication_role = replica`);
  for (const [kind, first] of Object.entries(DEVICES))
    await tx.exec(sql`
    insert into device (ecpd_id, device_id, account_name, kind, state, imei, iccid, imsi, msisdn, meid, esn, mac, iot,
      activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id)
    select p.ecpd_id, gen_random_uuid(), ${ACCOUNT}, ${kind}, 'active', (990000000000000 + n)::text,
      (89148000000000000000 + n)::text, (310150000000000 + n)::text, (15200000000 + n)::text,
      lpad(to_hex(n), 14, 'A'), n::text, null, true, false, true, '[]',
      jsonb_build_object('name', 'name ' || n, 'description', 'shelf ' || n % 156 || ${kind}, 'chipset', 'c' || n % 9 || ${kind},
        'manufacturer', 'm' || n % 6 || ${kind}, 'productmodel', 'p' || n % 22 || ${kind},
        'hardwareversion', 'h' || n % 8 || ${kind}, 'softwareversion', 's' || n % 8 || ${kind},
        'providerid', 'o' || n % 7 || ${kind}, 'qrcode', n::text, 'refid', 'r' || n, 'refidtype', 't' || n % 6 || ${kind},
        'serial', 'S' || n, 'sku', 'k' || n % 7 || ${kind}, 'parentdeviceid', gen_random_uuid(),
        'customdata', jsonb_build_object('site', n % 12 + ${first}::int),
        'fields', jsonb_build_object('apn', 'a' || n % 11 || ${kind}), 'commands', jsonb_build_object('c', n % 28 + ${first}::int),
        'modelmetadata', jsonb_build_object('m', n % 25 + ${first}::int)),
      '{}', ${WRITTEN} ${each(first)}`);
  await tx.exec(sql`
  insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
  select k.kind, k.value, d.ecpd_id, d.account_name, d.device_id from device d
  cross join lateral (values ('imei', d.imei), ('esn', d.esn)) as k (kind, value)`);
  await tx.exec(sql`
  insert into user_profile (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated, version, version_id)
  select p.ecpd_id, ${ACCOUNT}, gen_random_uuid(),
    jsonb_build_object('ackterms', n % 2 = 0, 'acktermson', '2026-01-01T00:00:00.000Z', 'credentialsid', n || '@a.example',
      'description', 'd' || n % 10, 'displayname', 'D' || n, 'email', n || '@b.example', 'firstname', 'f' || n % 12,
      'lastname', 'l' || n % 75, 'mdn', 5550000000 + n, 'middlename', 'm' || n % 6, 'name', 'n' || n, 'number', n::text,
      'requestedon', '2026-01-01T00:00:00.000Z', 'customdata', jsonb_build_object('site', n % 12)), ${WRITTEN} ${each()}`);
  await tx.exec(sql`
  insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version, version_id)
  select d.ecpd_id, d.account_name, gen_random_uuid(), d.device_id,
    jsonb_build_object('name', d.record->>'name', 'description', 'd' || d.esn::int % 10, 'rulesyntax', 'json',
      'rulechain', jsonb_build_object('field', 'f' || d.esn::int % 8)),
    d.foreign_id, d.created_on, d.last_updated, d.version, gen_random_uuid() from device d where d.kind = 'device'`);
});
for (const { definition } of indexes) await db.exec(trusted(definition));
for (const table of TABLES) await db.exec(sql`vacuum analyze ${trusted(table)}`);

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}
const flatten = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
async function planOf(tx: Db, { text, values }: Query): Promise<readonly Node[]> {
  const query = { ...sql``, text: `explain (format json) ${text}`, values, unprepared: true };
  const [row] = await tx.many<{ 'QUERY PLAN': [{ Plan: Node }] }>(query);
  return flatten(row!['QUERY PLAN'][0].Plan);
}
/** The transaction of queries. */
const reading = <T>(work: (tx: Db) => Promise<T>) => db.tx(work, SNAPSHOT);

const { call } = await asUser(world);
const find = async (path: string, body: object) =>
  (await call('POST', `/dm/v1/${path}/actions/query`, { accountname: ACCOUNT, ...body })).json()[0];

type Named = readonly [name: string, value: unknown];
/** The comparable fields of one record, and one path into each object that is not empty. */
const valuesOf = (record: Readonly<Record<string, unknown>>): readonly Named[] =>
  Object.entries(record)
    .filter(([name]) => name !== 'evaluation')
    .flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
        : [[name, value] as const],
    )
    .filter(([, value]) => value !== null);

/**
 * Fields that match very many records: a page of these is found soon in the index of the account. There are a
 * thirty-second as many of them here, so the pages have three records.
 */
const COMMON = new Set(['billingaccountid', 'credentialstype', 'disabled', 'foreignid', 'state', 'version']);

interface Kind {
  readonly kind: RecordKind;
  readonly fields: number;
  readonly record: () => Promise<Record<string, unknown>>;
  /** Indexes on the owner's fields, on the service's fields, on the id (the primary key), and on identifiers. */
  readonly knowsFields: RegExp;
  /** The index of the list order; for users and rules that is the id. */
  readonly listing: string;
}
const BY_DEVICE_FIELDS = /^device_(record|written|pkey|plan_now|identifier_\w+)$/;
const KINDS: readonly Kind[] = [
  {
    kind: 'device',
    fields: 32,
    record: () => find('devices', { resourceidentifier: { imei: 990000000001000 } }),
    knowsFields: BY_DEVICE_FIELDS,
    listing: 'device_listing',
  },
  {
    kind: 'gateway',
    fields: 30,
    record: () => find('devices/gateways', { resourceidentifier: { imei: 990000000101000 } }),
    knowsFields: BY_DEVICE_FIELDS,
    listing: 'device_gateway',
  },
  {
    kind: 'sensor',
    fields: 30,
    record: () => find('devices/sensors', { resourceidentifier: { imei: 990000000201000 } }),
    knowsFields: BY_DEVICE_FIELDS,
    listing: 'device_sensor',
  },
  {
    kind: 'user',
    fields: 23,
    record: () => find('users', { filter: {} }),
    knowsFields: /^user_profile_(record|updated|created|version|version_id|pkey)$/,
    listing: 'user_profile_of_account',
  },
  {
    kind: 'rule',
    fields: 13,
    record: () => find('rules', { filter: {} }),
    knowsFields: /^rule_(record|updated|created|version|version_id|pkey|of_device)$/,
    listing: 'rule_of_account',
  },
];

type Pair = readonly [Named, Named];
const pairsOf = (values: readonly Named[]): readonly Pair[] =>
  values.flatMap((one, i) => values.slice(i + 1).map((two) => [one, two] as const));
const isCommon = (pair: Pair) => pair.every(([name]) => COMMON.has(name));
/** Share the table and indexes of devices, except for the list order: some of the pairs are enough. */
const LIKE_DEVICES = new Set<RecordKind>(['gateway', 'sensor']);

/** On a cluster, a plan shows only which server is queried. */
const skip = isOnCluster() && 'the plans are those of the workers';

const isGoodFor = ({ knowsFields, listing }: Kind, plan: readonly Node[], isListed: boolean) =>
  plan.some(({ 'Index Name': name = '' }) => (isListed && name === listing) || knowsFields.test(name)) &&
  !plan.some((node) => /Seq Scan/.test(node['Node Type']));

describe('a selection over 100,000 records', () => {
  for (const of of KINDS) {
    const { kind, fields, record, listing } = of;
    it(`of ${kind}s uses an index on its fields, whichever two they are, and never a scan`, {
      skip,
    }, async () => {
      const values = valuesOf(await record());
      assert.equal(values.length, fields);
      const pairs = pairsOf(values).filter(
        (pair, n) => !LIKE_DEVICES.has(kind) || isCommon(pair) || n % 4 === 0,
      );
      const scanned: string[] = [];
      await reading(async (tx) => {
        for (const pair of pairs) {
          const names = pair.map(([name]) => name);
          // A match is found soon on the way through the account, or never: the planner must not try that.
          const filter = { $selection: Object.fromEntries(pair), $limitnumber: isCommon(pair) ? 3 : 1 };
          const query = parseQuery(world.ctx, tenant, kind, { accountname: ACCOUNT, filter });
          const plan = await planOf(tx, recordsStatement(tenant, query));
          const isListed = isCommon(pair) || (listing.endsWith('_of_account') && names.includes('id'));
          if (!isGoodFor(of, plan, isListed))
            scanned.push(`${names}: ${plan.map((node) => [node['Node Type'], node['Index Name']])}`);
        }
      });
      assert.deepEqual(scanned, []);
    });
  }

  it('by identifier uses the directory of identifiers', { skip }, async () => {
    const query = parseQuery(world.ctx, tenant, 'device', {
      accountname: ACCOUNT,
      resourceidentifier: { imei: 990000000001000 },
    });
    const plan = await reading((tx) => planOf(tx, recordsStatement(tenant, query)));
    const used = plan.map((node) => node['Index Name']);
    assert.ok(used.includes('device_identifier_pkey'));
    assert.ok(!used.includes('device_listing'));
  });

  // proves 4.8-body/$nopagination
  it('without pagination returns 10,000 of them, and where the rest begins', async () => {
    await db.exec(sql`
      insert into device (ecpd_id, device_id, account_name, kind, state, iot, activated_by_sku, ota_updated, labels, record,
        simulation, foreign_id, created_on, last_updated, version, version_id)
      select p.ecpd_id, gen_random_uuid(), ${ACCOUNT}, 'device', 'active', true, false, true, '[]', '{}', '{}', ${WRITTEN}
      ${each(300_001, 10_001 - RECORDS)}`);
    const ask = (filter: object) =>
      call('POST', '/dm/v1/devices/actions/query', {
        accountname: ACCOUNT,
        filter: { $projection: ['id'], ...filter },
      });
    const all = await ask({ $nopagination: true });
    const next = await ask({ $limitnumber: 1, $page: all.headers['x-next'] });
    const later = await ask({ $limitnumber: 1, $pagenumber: 10_001 });
    assert.equal(all.json().length, 10_000);
    assert.deepEqual([next.json().length, next.json()], [1, later.json()]);
  });
});
