import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import pg from 'pg';
import { PLACEMENT } from '../../src/app/sharding.ts';
import { planShards, readTables } from '../../src/platform/sharding/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { readStatements, type Statement } from '../support/statements.ts';
import { type LooseTable, looseTables } from '../support/ties.ts';
import {
  CROSS_PROFILE_READS,
  CROSS_PROFILE_WALKS,
  CROSS_PROFILE_WRITES,
  READS_IN_PARTS,
} from './profile-rules.ts';
import { TEMPORARY } from './rules.ts';

const { url, drop } = await createTestDatabase();
const client = new pg.Client(url);
await client.connect();
const { kinds } = planShards(await readTables(client, PLACEMENT.key, false), PLACEMENT);
await client.end();
await drop();

const isTable = (name: string) => kinds.has(name) || TEMPORARY.test(name);
const looseIn = (text: string, ...how: [] | ['in its own query']): LooseTable[] =>
  looseTables(text, isTable, ...how).filter(({ table }) => kinds.get(table) === 'distributed');

const statements = readStatements();
const found = (those: (statement: Statement) => boolean): string[] => {
  const names = statements.filter(those).map(({ file, name }) => `${file.replace(/^src\//, '')} ${name}`);
  return [...new Set(names)].sort();
};

describe('a table of a statement', () => {
  const aliases = (text: string, ...how: [] | ['in its own query']) =>
    looseIn(text, ...how).map(({ alias }) => alias);

  it('is tied to a profile by a parameter, or by a table that is', () => {
    assert.deepEqual(aliases('select from device d where d.ecpd_id = $ and d.device_id = $'), []);
    assert.deepEqual(
      aliases('select from device d join account a on a.ecpd_id = d.ecpd_id where d.ecpd_id = $'),
      [],
    );
    assert.deepEqual(
      aliases('select from job join account using (ecpd_id, account_name) where ecpd_id = $'),
      [],
    );
    assert.deepEqual(
      aliases(
        'select from device d where (d.ecpd_id, d.x) = ($, $) or exists (select from rule r where r.ecpd_id = d.ecpd_id)',
      ),
      [],
    );
    assert.deepEqual(
      aliases('select from device_identifier i join device d on d.ecpd_id = i.ecpd_id where i.ecpd_id = $'),
      [],
    );
  });

  it('is not tied otherwise, whatever ties other tables next to it, around it or within it', () => {
    assert.deepEqual(aliases('select from device d, account a where d.ecpd_id = $'), ['a']);
    assert.deepEqual(aliases('delete from device d using account a where a.ecpd_id = $ and a.n = d.n'), [
      'd',
    ]);
    assert.deepEqual(
      aliases('select from device d where d.ecpd_id = $ and d.n in (select n from account a)'),
      ['a'],
    );
    assert.deepEqual(aliases('select from device d where d.n in (select n from account where ecpd_id = $)'), [
      'd',
    ]);
    assert.deepEqual(aliases('select from device where ecpd_id = $ union all select from account'), [
      'account',
    ]);
    assert.deepEqual(aliases('select from device d where d.ecpd_id = any($)'), ['d']);
  });

  it('is not tied by a derived table', () => {
    const [loose] = looseIn(
      'select from (select * from device where ecpd_id = $ limit $) n join account a on a.ecpd_id = n.ecpd_id',
    );
    assert.deepEqual([loose?.alias, loose?.sideways], ['a', false]);
  });

  const SIDEWAYS = {
    'a list of parameters':
      'select from unnest($) as a (ecpd_id) cross join lateral (select from device d where d.ecpd_id = a.ecpd_id limit 1) x',
    'a numbered list of parameters':
      'select from unnest($) with ordinality as a (ecpd_id, nth) cross join lateral (select from device d where d.ecpd_id = a.ecpd_id limit 1) x',
    'a limited query':
      'select from (select * from job limit $) a cross join lateral (select max(n) from device d where d.ecpd_id = a.ecpd_id) x',
    'a part of a with':
      'with a as (select * from job) select (select min(n) from device d where d.ecpd_id = a.ecpd_id) from a',
  };
  for (const [what, text] of Object.entries(SIDEWAYS))
    it(`is joined laterally for each row of ${what}`, () => {
      const sideways = (each: string) => looseIn(each).some((loose) => loose.sideways);
      assert.ok(sideways(text));
      assert.ok(!sideways(text.replace('d.ecpd_id = a.ecpd_id', 'd.ecpd_id = $')));
    });

  it('is not joined laterally for each row of another table that it is tied to', () =>
    assert.ok(
      !looseIn(
        'select from job a cross join lateral (select max(n) from device d where d.ecpd_id = a.ecpd_id) x',
      ).some(({ sideways }) => sideways),
    ));

  it('is tied for a lock or a change in its own query only', () => {
    const text =
      'select exists (select from rule r where r.ecpd_id = d.ecpd_id) from device d where d.ecpd_id = $';
    assert.deepEqual(aliases(text), []);
    assert.deepEqual(aliases(text, 'in its own query'), ['r']);
  });
});

describe('statements on a schema that is distributed by profile', () => {
  it('are all visible to this audit: no trusted text names their tables', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    );
    const hidden = files.filter((file) =>
      [...readFileSync(`src/${file}`, 'utf8').matchAll(/\btrusted\(\s*([`'])([\s\S]*?)\1/g)].some(
        ([, , text]) =>
          [...text!.matchAll(/\b(?:from|join|update|into) (\w+)/g)].some(
            ([, table]) => kinds.get(table!) === 'distributed',
          ),
      ),
    );
    assert.deepEqual(hidden, []);
  });

  it('tie every table to one profile, except listed reads', () =>
    assert.deepEqual(
      found(({ text }) => looseIn(text).length > 0),
      Object.keys(CROSS_PROFILE_READS).sort(),
    ));

  it('change rows only where every table is tied to one profile in its own query', () => {
    const changes = /\b(?:insert into|(?<!do |for |key )update|delete from) (\w+)/g;
    const loose = found(
      ({ text }) =>
        looseIn(text, 'in its own query').length > 0 &&
        [...text.matchAll(changes)].some(([, table]) => kinds.get(table!) === 'distributed'),
    );
    assert.deepEqual(loose, Object.keys(CROSS_PROFILE_WRITES).sort());
  });

  it('lock rows only where every table is tied to one profile in its own query', () => {
    const locks = /\bfor (?:no key )?update|\bfor (?:key )?share/;
    assert.deepEqual(
      found(({ text }) => locks.test(text) && looseIn(text, 'in its own query').length > 0),
      [],
    );
  });

  it('have no lateral joins over profiles, except walks that have another form', () =>
    assert.deepEqual(
      found(({ text }) => looseIn(text).some(({ sideways }) => sideways)),
      CROSS_PROFILE_WALKS,
    ));

  it('join tables over profiles by the profile, except listed reads', () => {
    const inParts = found(({ text }) => new Set(looseIn(text).map(({ group }) => group)).size > 1);
    assert.deepEqual(
      inParts.filter((name) => !CROSS_PROFILE_WALKS.includes(name)),
      Object.keys(READS_IN_PARTS).sort(),
    );
  });
});
