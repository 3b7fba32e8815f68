import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import type { RecordKind } from '../querying/fields.ts';
import { SNAPSHOT } from '../querying/query-records.ts';
import { readQuery } from '../querying/record-query.ts';
import { recordsStatement } from '../querying/sql-records.ts';

/**
 * An eighth of 100,000 records, in which each value is as frequent as it would be among all of them: a scan, or a walk in
 * order, is eight times cheaper than there and what an index finds is as many rows. Where the index is chosen here, it is there.
 */
const RECORDS = 12_500;
const world = await makeWorld();
await world.import({ ...SMALL_FLEET, devices: [] });
const { db } = world.ctx;
const tenant = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };

// Times and names spread as those of a fleet that grew, of versions there are fifty; every field has a value.
const WRITTEN = sql`p.foreign_id, timestamp '2026-01-01' + n % 1125 * interval '1 minute',
  timestamp '2026-02-01' + n % 875 * interval '1 minute', 1 + n % 50, gen_random_uuid()`;
const each = (first = 1) =>
  sql`from profile p, generate_series(${first}::int, ${first + RECORDS - 1}::int) n where p.ecpd_id = '9000001'`;
const DEVICES = { device: 1, gateway: 100_001, sensor: 200_001 } as const;
for (const [kind, first] of Object.entries(DEVICES))
  await db.exec(sql`
    insert into device (ecpd_id, device_id, account_name, kind, state, imei, iccid, imsi, msisdn, meid, esn, mac, iot,
      activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id)
    select p.ecpd_id, gen_random_uuid(), ${ACCOUNT}, ${kind}, 'active', (990000000000000 + n)::text,
      (89148000000000000000 + n)::text, (310150000000000 + n)::text, (15200000000 + n)::text,
      lpad(to_hex(n), 14, 'A'), n::text, null, true, false, true, '[]',
      jsonb_build_object('name', 'name ' || n, 'description', 'shelf ' || n % 625 || ${kind}, 'chipset', 'c' || n % 37 || ${kind},
        'manufacturer', 'm' || n % 25 || ${kind}, 'productmodel', 'p' || n % 87 || ${kind},
        'hardwareversion', 'h' || n % 31 || ${kind}, 'softwareversion', 's' || n % 32 || ${kind},
        'providerid', 'o' || n % 27 || ${kind}, 'qrcode', n::text, 'refid', 'r' || n, 'refidtype', 't' || n % 26 || ${kind},
        'serial', 'S' || n, 'sku', 'k' || n % 29 || ${kind}, 'parentdeviceid', gen_random_uuid(),
        'customdata', jsonb_build_object('site', n % 50 + ${first}::int),
        'fields', jsonb_build_object('apn', 'a' || n % 44 || ${kind}), 'commands', jsonb_build_object('c', n % 112 + ${first}::int),
        'modelmetadata', jsonb_build_object('m', n % 100 + ${first}::int)),
      '{}', ${WRITTEN} ${each(first)}`);
await db.exec(sql`
  insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
  select k.kind, k.value, d.ecpd_id, d.account_name, d.device_id from device d
  cross join lateral (values ('imei', d.imei), ('esn', d.esn)) as k (kind, value)`);
await db.exec(sql`
  insert into user_profile (ecpd_id, account_name, user_id, record, foreign_id, created_on, last_updated, version, version_id)
  select p.ecpd_id, ${ACCOUNT}, gen_random_uuid(),
    jsonb_build_object('ackterms', n % 2 = 0, 'acktermson', '2026-01-01T00:00:00.000Z', 'credentialsid', n || '@a.example',
      'description', 'd' || n % 40, 'displayname', 'D' || n, 'email', n || '@b.example', 'firstname', 'f' || n % 50,
      'lastname', 'l' || n % 300, 'mdn', 5550000000 + n, 'middlename', 'm' || n % 26, 'name', 'n' || n, 'number', n::text,
      'requestedon', '2026-01-01T00:00:00.000Z', 'customdata', jsonb_build_object('site', n % 50)), ${WRITTEN} ${each()}`);
await db.exec(sql`
  insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version, version_id)
  select d.ecpd_id, d.account_name, gen_random_uuid(), d.device_id,
    jsonb_build_object('name', d.record->>'name', 'description', 'd' || d.esn::int % 40, 'rulesyntax', 'json',
      'rulechain', jsonb_build_object('field', 'f' || d.esn::int % 30)),
    d.foreign_id, d.created_on, d.last_updated, d.version, gen_random_uuid() from device d where d.kind = 'device'`);
for (const table of [sql`device`, sql`device_identifier`, sql`user_profile`, sql`rule`])
  await db.exec(sql`vacuum analyze ${table}`);

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}
const flatten = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
async function planOf({ text, values }: Query): Promise<readonly Node[]> {
  const query = { ...sql``, text: `explain (format json) ${text}`, values, unprepared: true };
  // As queries are read.
  const [row] = await db.tx((tx) => tx.many<{ 'QUERY PLAN': [{ Plan: Node }] }>(query), SNAPSHOT);
  return flatten(row!['QUERY PLAN'][0].Plan);
}

const { call } = await asUser(world);
const find = async (path: string, body: object) =>
  (await call('POST', `/dm/v1/${path}/actions/query`, { accountname: ACCOUNT, ...body })).json()[0];

/** Of one record: each field that can be compared, and one path into each object that is not empty. */
const valuesOf = (record: Readonly<Record<string, unknown>>): (readonly [string, unknown])[] =>
  Object.entries(record)
    .filter(([name]) => name !== 'evaluation')
    .flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
        : [[name, value] as const],
    )
    .filter(([, value]) => value !== null);

/**
 * True of very many records: a page of these is soon found on the way through the account's index. There are an eighth as
 * many of them here, and so they are asked for by pages of an eighth.
 */
const COMMON = new Set(['billingaccountid', 'credentialstype', 'disabled', 'foreignid', 'state', 'version']);

interface Kind {
  readonly kind: RecordKind;
  readonly fields: number;
  readonly record: () => Promise<Record<string, unknown>>;
  /** By what owners say, by what the service says, by id (both have the key), by the directory of identifiers. */
  readonly knowsFields: RegExp;
  /** In the order of the listing; that of users and rules is by id. */
  readonly listing: string;
}
const BY_DEVICE_FIELDS = /^device_(record|written|pkey|plan_now|identifier_\w+)$/;
const KINDS: readonly Kind[] = [
  {
    kind: 'device',
    fields: 32,
    record: () => find('devices', { resourceidentifier: { imei: 990000000005000 } }),
    knowsFields: BY_DEVICE_FIELDS,
    listing: 'device_listing',
  },
  {
    kind: 'gateway',
    fields: 30,
    record: () => find('devices/gateways', { resourceidentifier: { imei: 990000000105000 } }),
    knowsFields: BY_DEVICE_FIELDS,
    listing: 'device_gateway',
  },
  {
    kind: 'sensor',
    fields: 30,
    record: () => find('devices/sensors', { resourceidentifier: { imei: 990000000205000 } }),
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

describe('a selection over 100,000 records', () => {
  for (const { kind, fields, record, knowsFields, listing } of KINDS) {
    it(`of ${kind}s is answered from an index that knows its fields, whichever two they are, and never by a scan`, async () => {
      const values = valuesOf(await record());
      assert.equal(values.length, fields);
      const scanned: string[] = [];
      for (const [i, [one, first]] of values.entries()) {
        for (const [two, second] of values.slice(i + 1)) {
          const isCommon = COMMON.has(one) && COMMON.has(two);
          const $selection = { [one]: first, [two]: second };
          const filter = { $selection, $limitnumber: isCommon ? 12 : 100 };
          const query = readQuery(world.ctx, tenant, kind, { accountname: ACCOUNT, filter });
          const plan = await planOf(recordsStatement(tenant, query));
          const used = plan.map((node) => node['Index Name'] ?? '');
          const isListed = isCommon || (listing.endsWith('_of_account') && [one, two].includes('id'));
          const isGood =
            used.some((name) => (isListed && name === listing) || knowsFields.test(name)) &&
            !plan.some((node) => /Seq Scan/.test(node['Node Type']));
          if (!isGood) scanned.push(`${one}, ${two}: ${plan.map((node) => node['Node Type'])} ${used}`);
        }
      }
      assert.deepEqual(scanned, []);
    });
  }

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
      resourceidentifier: { imei: 990000000005000 },
    });
    const used = (await planOf(recordsStatement(tenant, query))).map((node) => node['Index Name']);
    assert.ok(used.includes('device_identifier_pkey'));
    assert.ok(!used.includes('device_listing'));
  });
});
