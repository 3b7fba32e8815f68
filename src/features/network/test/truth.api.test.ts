import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, imei, imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const STRANGER_PROFILE = '9000009';
const register = makeElement('hlr', { batchMax: 2 });
const other = makeElement('bss');
const scene = await makeNetworkScene({
  elements: [
    { of: register, imsi: [`${imsi(0)}-${imsi(8)}`] },
    { of: other, imsi: [imsi(9)] },
  ],
  devices: Array.from({ length: 10 }, (_, n) => lineOf(n)),
});
const { world, settle, ask, progress, age } = scene;
const { operator } = world;
await settle();

const check = async (body: object = {}) => {
  const answer = await operator('POST', '/network/check', body);
  assert.equal(answer.statusCode, 202, answer.body);
  assert.match(answer.json().jobId, /^[0-9a-f-]{36}$/);
  await settle();
  return (await operator('GET', '/network/differences')).json();
};

describe('the network behind the lines', () => {
  it('is shown with the state and the backlog of each element', async () => {
    const { elements } = (await operator('GET', '/network')).json();
    const [hlr] = elements;
    assert.deepEqual(
      elements.map(({ name }: { name: string }) => name),
      ['hlr', 'bss'],
    );
    assert.deepEqual([hlr.state, hlr.backlog, hlr.differences], ['up', 0, 0]);
    assert.ok(hlr.ratePerSecond > 0);
  });

  it('agrees with unchanged lines', async () => {
    assert.deepEqual(await check(), []);
  });

  it('differs if an element has another state for a line, does not know it, or still knows a deleted one', async () => {
    register.lines.set(imsi(0), { state: 'suspended', plan: undefined });
    register.lines.delete(imsi(1));
    await operator('DELETE', `/devices/imei/${imei(2)}`);
    await settle();
    assert.equal(register.lines.get(imsi(2))?.state, 'gone');
    register.lines.set(imsi(2), { state: 'active', plan: undefined });
    const found = (await check({ accountName: ACCOUNT })).map(
      ({ imsi: id, here, there, element, accountName }: Record<string, string>) => [
        id,
        here,
        there,
        element,
        accountName,
      ],
    );
    assert.deepEqual(found, [
      [imsi(0), 'active', 'suspended', 'hlr', ACCOUNT],
      [imsi(1), 'active', 'unknown', 'hlr', ACCOUNT],
      [imsi(2), 'unknown', 'active', 'hlr', ACCOUNT],
    ]);
    assert.equal((await operator('GET', '/network')).json().elements[0].differences, 3);
  });

  it('lists differences page by page, even for lines of two profiles with one IMSI', async () => {
    const { db } = world.ctx;
    await db.exec(sql`
      insert into network_difference (ecpd_id, element, imsi, account_name, device_id, here, there, since)
      select p.ecpd_id, 'hlr', ${imsi(1)}, ${STRANGER}, gen_random_uuid(), 'active', 'gone', now()
      from profile p where p.ecpd_id = ${STRANGER_PROFILE}`);
    const found: string[] = [];
    for (let page: string | undefined = ''; page !== undefined; ) {
      const answer = await operator('GET', `/network/differences?limit=1${page}`);
      found.push(...answer.json().map((row: { imsi: string; there: string }) => `${row.imsi} ${row.there}`));
      const next = answer.headers['x-next'] as string | undefined;
      page = next === undefined ? undefined : `&page=${next}`;
    }
    assert.deepEqual(found.toSorted(), [
      ...[`${imsi(0)} suspended`, `${imsi(1)} gone`, `${imsi(1)} unknown`, `${imsi(2)} active`],
    ]);
    await db.exec(sql`delete from network_difference where ecpd_id = ${STRANGER_PROFILE}`);
  });

  it('is repaired on request, and then agrees', async () => {
    await check({ repair: true });
    assert.deepEqual(
      [0, 1, 2].map((n) => register.lines.get(imsi(n))?.state),
      ['active', 'active', 'gone'],
    );
    assert.deepEqual(await check(), []);
  });

  it('skips lines for which an element gave no answer', async () => {
    const { read } = register.element;
    Object.assign(register.element, { read: async (lines: readonly object[]) => lines.map(() => undefined) });
    register.lines.set(imsi(3), { state: 'suspended', plan: undefined });
    assert.deepEqual(await check(), []);
    Object.assign(register.element, { read });
    register.lines.set(imsi(3), { state: 'active', plan: 'P-5MB' });
  });

  it('sends no orders to a paused element, and keeps sending to others', async () => {
    assert.deepEqual((await operator('POST', '/network/hlr/pause')).json(), { name: 'hlr', paused: true });
    const before = register.orders.length;
    const held = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(4) });
    const free = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(9) });
    await world.engine.settle();
    await scene.until(async () => {
      await Promise.race([world.orders?.settle(), new Promise((resolve) => setTimeout(resolve, 300))]);
      await world.engine.settle();
      return (await progress(free)).json().status === 'Success';
    });
    assert.equal(register.orders.length, before);
    assert.equal((await progress(held)).json().status, 'Pending');
    const [hlr] = (await operator('GET', '/network')).json().elements;
    assert.deepEqual([hlr.state, hlr.backlog], ['paused', 1]);
    await operator('POST', '/network/hlr/resume');
    await settle();
    assert.equal((await progress(held)).json().status, 'Success');
  });

  it('reports a line that could not be put back as a difference', async () => {
    register.answers(({ wanted }) =>
      wanted === 'suspended' ? silent : { outcome: 'refused', reason: 'broken' },
    );
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(5) });
    await settle();
    await age(3_600_000);
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Failure');
    const [difference] = (await operator('GET', `/network/differences?accountName=${ACCOUNT}`)).json();
    assert.deepEqual(
      [difference.imsi, difference.here, difference.there],
      [imsi(5), 'active', 'unconfirmed'],
    );
    register.answers({ outcome: 'done' });
    await check({ repair: true });
    register.lines.set(imsi(5), { state: 'active', plan: 'P-5MB' });
    assert.deepEqual(await check(), []);
  });

  it('accepts a later confirmation of a taken order, and the next order waits for it', async () => {
    register.answers({ outcome: 'later' });
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(6) });
    await settle();
    assert.equal((await progress(requestId)).json().status, 'Pending');
    const taken = register.orders.at(-1)!;
    const next = await ask('actions/deactivate', {
      accountName: ACCOUNT,
      etfWaiver: true,
      reasonCode: 'FF',
      devices: byImei(6),
    });
    await settle();
    assert.equal(register.orders.at(-1), taken);
    register.answers({ outcome: 'done' });
    const path = `/network/orders/${taken.orderId}`;
    assert.equal((await operator('POST', path, { outcome: 'done' })).json().state, 'done');
    assert.equal((await operator('POST', path, { outcome: 'failed' })).json().state, 'done');
    await settle();
    assert.deepEqual(
      [(await progress(requestId)).json().status, (await progress(next)).json().status],
      ['Success', 'Success'],
    );
    assert.equal(register.lines.get(imsi(6))?.state, 'gone');
  });

  it('404: refuses unknown elements and unknown orders', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    assert.equal((await operator('POST', '/network/none/pause')).statusCode, 404);
    assert.equal((await operator('POST', `/network/orders/${none}`, { outcome: 'done' })).statusCode, 404);
  });
});
