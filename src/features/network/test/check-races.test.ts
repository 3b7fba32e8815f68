import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { imsi, lineOf, makeElement, makeNetworkScene, PROFILE } from './scene.ts';

const [register, other] = [makeElement('hlr'), makeElement('bss')];
const { world, db, settle } = await makeNetworkScene({
  elements: [{ of: register }, { of: other }],
  devices: [lineOf(0)],
});
await settle();

const check = async (how: object = {}) => {
  await world.operator('POST', '/network/check', how);
  await settle();
  const found = (await world.operator('GET', '/network/differences')).json();
  return found.map(({ element, here, there }: Record<string, string>) => [element, here, there]);
};

/** One element has an order for a new state; the line changes here once the other element has confirmed, too. */
async function changeOnOne(placed: 'open' | 'closed'): Promise<void> {
  other.lines.set(imsi(0), { state: 'suspended', plan: undefined });
  await db.exec(sql`
    insert into network_order
    select (jsonb_populate_record(o, jsonb_build_object('order_id', ${world.ctx.newId()}::text, 'nr', o.nr + 1,
      'cause', 'request', 'change_id', ${world.ctx.newId()}::text))).*
    from network_order o where ecpd_id = ${PROFILE} and element = 'hlr' order by nr desc limit 1`);
  if (placed === 'open')
    await db.exec(sql`
      update network_order set state = 'waiting', closed_at = null, due_at = 'infinity', expires_at = 'infinity'
      where (ecpd_id, element, nr) in (select ecpd_id, element, max(nr) from network_order
        where ecpd_id = ${PROFILE} and element = 'hlr' group by 1, 2)`);
}

describe('a check of the network', () => {
  it('skips a line that is ordered to change during the read, also if the order is closed by then', async () => {
    for (const placed of ['open', 'closed'] as const) {
      other.beforeRead(() => changeOnOne(placed));
      assert.deepEqual(await check(), [], placed);
      other.beforeRead(async () => {});
      await db.exec(sql`
        update network_order set state = 'done', due_at = null, closed_at = statement_timestamp() where closed_at is null`);
      assert.deepEqual(await check(), [['bss', 'active', 'suspended']], 'nothing is under way any more');
      other.lines.set(imsi(0), { state: 'active', plan: undefined });
      assert.deepEqual(await check(), []);
    }
  });

  it('skips a line whose state on an element matches a pending change, until that change should have been made here', async () => {
    other.lines.set(imsi(0), { state: 'suspended', plan: undefined });
    const ordered = (cause: Query, ago: string) =>
      db.exec(sql`
        update network_order set wanted = 'suspended', ${cause},
          closed_at = (closed_at at time zone 'UTC' - ${ago}::interval) at time zone 'UTC'
        where ecpd_id = ${PROFILE} and element = 'bss'`);
    await ordered(sql`cause = 'request', change_id = ${world.ctx.newId()}`, '0');
    assert.deepEqual(await check(), []);
    await ordered(sql`cause = 'follow', change_id = null`, '0');
    assert.deepEqual(await check(), [['bss', 'active', 'suspended']], 'no change has waited for it');
    await ordered(sql`cause = 'request', change_id = ${world.ctx.newId()}`, '2 hours');
    assert.deepEqual(await check(), [['bss', 'active', 'suspended']], 'the change should have been made');
    other.lines.set(imsi(0), { state: 'active', plan: undefined });
    assert.deepEqual(await check(), []);
  });

  it('repairs a line on each of its elements at once', async () => {
    for (const { lines } of [register, other]) lines.set(imsi(0), { state: 'suspended', plan: undefined });
    await check({ repair: true });
    const states = [register, other].map(({ lines }) => lines.get(imsi(0))?.state);
    assert.deepEqual(states, ['active', 'active']);
  });

  it('skips a line while another element has not taken its order yet', async () => {
    await changeOnOne('open');
    assert.deepEqual(await check(), []);
  });
});
