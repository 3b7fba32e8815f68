import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ONE_SERVER, placeOf } from './servers.ts';
import { findingWork, sql } from './sql.ts';

const servers = { ...ONE_SERVER, serverOf: (ecpdId: string) => ({ a: 'one', b: 'one', c: 'two' })[ecpdId] };
const place = (query: ReturnType<typeof sql>) =>
  placeOf(query, { servers, ownTables: new Set(['session', 'plan']) });

describe('where a statement waits on a distributed database', () => {
  it('is the server of its profile, or of all its profiles', () => {
    assert.equal(place(sql`select 1 from device where ecpd_id = ${'a'}`), 'one');
    assert.equal(place(sql`select 1 from device where ecpd_id = any(${['a', 'b']}::text[])`), 'one');
  });

  it('is every server for profiles of several, and for a table of customers without a profile', () => {
    const everywhere = place(sql`select 1 from device`);
    assert.equal(place(sql`select 1 from device where ecpd_id = any(${['a', 'c']}::text[])`), everywhere);
    assert.notEqual(everywhere, 'one');
  });

  it('is the coordinator for its own tables, and a separate place for each other kind', () => {
    const coordinator = place(sql`select 1 from session join plan on true`);
    assert.equal(place(sql`select nextval('numbers')`), coordinator);
    const others = [
      place(sql`select 1 from session join device on true`),
      place(sql`select 1 from device where ecpd_id = ${'unknown'}`),
      place(sql`select 1 from job where ${findingWork(sql`true`)}`),
    ];
    assert.equal(new Set([coordinator, ...others]).size, 4);
  });
});
