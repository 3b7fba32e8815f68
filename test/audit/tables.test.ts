import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { FEATURES, READ_BY_ALL, TEMPORARY } from './rules.ts';

/** A migration is named NNNN_<owner>[__what].sql after the owner of its tables. The last one that creates a table owns it. */
const owners = new Map<string, string>();
for (const file of readdirSync('migrations').sort()) {
  const owner = /^\d{4}_([a-z-]+?)(?:__.*)?\.sql$/.exec(file)?.[1];
  assert.ok(
    owner !== undefined && ['platform', ...FEATURES].includes(owner),
    `migrations/${file} names no owner`,
  );
  for (const [, verb, table] of readFileSync(`migrations/${file}`, 'utf8').matchAll(
    /(create|drop) table (\w+)/g,
  ))
    if (verb === 'create') owners.set(table!, owner);
    else owners.delete(table!);
}
const schema = readFileSync('schema.sql', 'utf8');

/** In SQL, or in the description of a section of the fleet document that writes the table. */
const TABLE_USE = /\b(?:(from|join|into|update|delete from|truncate)\s+|table: ')(\w+)/gi;

/** Keys that do not begin with the tenant, each for a reason that its migration gives. */
const NO_TENANT = new Set([
  'access_server',
  'account_directory',
  'action_pause',
  'client',
  'client_token',
  'console_session',
  'device_identifier',
  'earlier_owner',
  'domain_clock',
  'idempotent_answer',
  'login_allowance',
  'login_failure',
  'network_element',
  'network_feed',
  'network_feed_report',
  'node',
  'operator_key',
  'plan',
  'position_source',
  'radio_area',
  'radio_cell',
  'serviceable_zip',
  'session',
  'simulated_network',
  'simulated_orders',
  'usage_file',
  'usage_file_mark',
  'user_account',
  'ws_user',
]);

describe('migrations', () => {
  it('are numbered without gaps, and begin with one for each owner, in order', () => {
    const files = readdirSync('migrations').sort();
    assert.deepEqual(
      files.map((file) => file.slice(0, 4)),
      files.map((_, index) => String(index + 1).padStart(4, '0')),
    );
    const first = files.filter((file) => !file.includes('__')).map((file) => file.slice(5, -4));
    assert.equal(new Set(first).size, first.length);
    assert.deepEqual(
      first,
      ['platform', ...FEATURES].filter((owner) => first.includes(owner)),
    );
  });
});

describe('tables', () => {
  it('each belong to one feature: others read only listed ones, and never write', () => {
    const trespasses = readdirSync('src/features', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('test'))
      .flatMap((file) => {
        const feature = file.split('/')[0]!;
        return [...readFileSync(`src/features/${file}`, 'utf8').matchAll(TABLE_USE)].flatMap(
          ([, verb = 'table', table]) => {
            const owner = owners.get(table!);
            const reads = /^(from|join)$/i.test(verb) && READ_BY_ALL.includes(table!);
            const free = owner === undefined || owner === feature || reads || TEMPORARY.test(table!);
            return free ? [] : [`${file}: ${verb} ${table} (of ${owner})`];
          },
        );
      });
    assert.ok(owners.size > 20);
    assert.deepEqual(trespasses, []);
  });

  it('of a tenant have the profile as first column of their primary key', () => {
    const wrong = [...owners.keys()].filter((table) => {
      if (NO_TENANT.has(table)) return false;
      // A partition has the key of its table.
      const whole = new RegExp(`^create table ${table} partition of (\\w+)`, 'm').exec(schema)?.[1] ?? table;
      const block = schema.slice(schema.indexOf(`create table ${whole} (`));
      return !/^[^;]*PRIMARY KEY \(ecpd_id\b/.test(block);
    });
    assert.deepEqual(wrong, []);
  });

  it('are named in the README of the feature that owns them', () => {
    const readmes = new Map(
      FEATURES.map((name) => [name as string, readFileSync(`src/features/${name}/README.md`, 'utf8')]),
    );
    const unnamed = [...owners].filter(
      ([table, owner]) => owner !== 'platform' && !readmes.get(owner)?.includes(`\`${table}\``),
    );
    assert.deepEqual(unnamed, []);
  });

  it('are exactly those of the committed schema', () => {
    const inSchema = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table]) => table!);
    assert.deepEqual(
      inSchema.filter((table) => table !== 'schema_migration').sort(),
      [...owners.keys()].sort(),
    );
  });
});
