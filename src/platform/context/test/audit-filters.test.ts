import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isOnCluster } from '../../../../test/support/citus.ts';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { createTestDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { type Query, sql } from '../../db/sql.ts';
import { type AuditFilter, listAudit } from '../audit.ts';

const { url, drop } = await createTestDatabase();
const db = openTestDatabase(url, { connections: 2 });
after(async () => {
  await db.close();
  await drop();
});
await db.exec(sql`
  insert into audit_entry (at, actor_kind, actor, action, target, ecpd_id, account_name, request_id)
  select ${makeCtx(db).now()}, 'operator', 'first', 'importDeviceRecord', n::text, 'p1', 'a1', 'test'
  from generate_series(1, 20000) n`);
await db.exec(sql`analyze audit_entry`);

/** The database's plan for finding a page. */
async function planOf(filter: Omit<AuditFilter, 'limit'>): Promise<string> {
  let asked: Query | undefined;
  const many = async <Row>(query: Query): Promise<Row[]> => {
    asked = query;
    return [];
  };
  await listAudit({ ...db, many }, { ...filter, limit: 100 });
  const { text, values } = asked!;
  return JSON.stringify(await db.many({ text: `explain (format json) ${text}`, values, unprepared: true }));
}

describe('a filter of the audit log', { skip: isOnCluster() && 'the plan of one server' }, () => {
  for (const [name, filter, index] of [
    ['a key', { actor: 'seldom' }, 'audit_entry_actor'],
    ['a thing that was done', { action: 'seldom' }, 'audit_entry_action'],
    ['an account', { accountName: 'seldom' }, 'audit_entry_account'],
  ] as const)
    it(`finds the lines of ${name} by an index, however many other lines exist`, async () => {
      const plan = await planOf(filter);
      assert.match(plan, new RegExp(`"Index Name":"${index}"`));
      assert.doesNotMatch(plan, /Seq Scan|audit_entry_pkey/);
    });
});
