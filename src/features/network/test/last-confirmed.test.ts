import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { deleteClosed } from '../sql-order.ts';
import { byImei, imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const register = makeElement('hlr');
const other = makeElement('bss');
const scene = await makeNetworkScene({
  elements: [
    { of: register, imsi: [`${imsi(0)}-${imsi(9)}`] },
    { of: other, imsi: [imsi(9)] },
  ],
  devices: Array.from({ length: 7 }, (_, n) => lineOf(n)),
});
const { world, db, ask, settle, age, states, progress, callbacksOf } = scene;
await settle();

const done = { outcome: 'done' } as const;
const refused = { outcome: 'refused', reason: 'not for this SIM' } as const;
const differences = async () =>
  (await world.operator('GET', '/network/differences'))
    .json()
    .map(({ imsi: id, element, here, there }: Record<string, string>) => [id, element, here, there]);
const there = (n: number) => register.lines.get(imsi(n))?.state;
const act = async (action: string, n: number) => {
  const requestId = await ask(`actions/${action}`, { accountName: ACCOUNT, devices: byImei(n) });
  await settle();
  return requestId;
};
/** Lets everything that still waits be carried out. */
const recover = async () => {
  register.answers(done);
  await age(60_000);
  await settle();
};

describe('a refused order', () => {
  beforeEach(() => register.answers(done));

  // proves network/refused-orders
  it('leaves an operator’s suspension in force, which the element has not carried out yet: it is a difference, and is ordered again', async () => {
    register.answers(({ wanted }) => (wanted === 'suspended' ? silent : refused));
    await world.import({ devices: [lineOf(0, { state: 'suspend' })] });
    await settle();
    const requestId = await act('restore', 0);
    assert.equal((await progress(requestId)).json().status, 'Failure');
    assert.equal((await states()).get(imsi(0))?.state, 'suspend');
    assert.equal(there(0), 'active');
    assert.deepEqual(await differences(), [[imsi(0), 'hlr', 'suspended', 'active']]);
    await recover();
    assert.equal(there(0), 'suspended');
    assert.deepEqual(await differences(), []);
    assert.equal((await callbacksOf(requestId)).length, 1);
  });

  it('leaves a line to be ordered that was imported as active and never reached the element', async () => {
    register.answers(({ wanted }) => (wanted === 'active' ? silent : refused));
    await world.import({ devices: [lineOf(7)] });
    await settle();
    const requestId = await act('suspend', 7);
    assert.equal((await progress(requestId)).json().status, 'Failure');
    assert.deepEqual(await differences(), [[imsi(7), 'hlr', 'active', 'unconfirmed']]);
    await recover();
    assert.equal(there(7), 'active');
    assert.deepEqual(await differences(), []);
  });

  it('orders nothing if the element has the line as it is here', async () => {
    register.answers(refused);
    const before = register.orders.length;
    await act('suspend', 1);
    assert.equal(register.orders.length, before + 1);
    assert.deepEqual(await differences(), []);
  });

  it('leaves a suspension in force that another element’s refusal would have ended', async () => {
    await world.import({ devices: [lineOf(9)] });
    await settle();
    other.answers(({ wanted }) => (wanted === 'active' ? refused : done));
    register.answers(({ wanted }) => (wanted === 'suspended' ? silent : done));
    await world.import({ devices: [lineOf(9, { state: 'suspend' })] });
    await settle();
    await act('restore', 9);
    assert.equal((await states()).get(imsi(9))?.state, 'suspend');
    await recover();
    assert.equal(there(9), 'suspended');
    assert.deepEqual(await differences(), []);
  });

  it('shows that an element never carried out a suspension that has run out', async () => {
    register.answers(({ wanted }) => (wanted === 'suspended' ? silent : refused));
    await world.import({ devices: [lineOf(3, { state: 'suspend' })] });
    await settle();
    world.pass(91 * 86_400_000);
    await settle();
    assert.equal((await states()).get(imsi(3))?.state, 'suspend');
    assert.deepEqual(await differences(), [[imsi(3), 'hlr', 'suspended', 'active']]);
    register.answers(done);
    await act('restore', 3);
    assert.equal((await states()).get(imsi(3))?.state, 'active');
    assert.deepEqual(await differences(), []);
  });

  it('of a removal is ordered again with the next change of the line', async () => {
    register.answers(({ wanted }) => (wanted === 'gone' ? refused : done));
    const moved = '311489999999999';
    await world.import({ devices: [lineOf(4, { imsi: moved })] });
    await settle();
    assert.equal(there(4), 'active');
    assert.deepEqual(await differences(), [[imsi(4), 'hlr', 'gone', 'active']]);
    register.answers(done);
    await world.import({ devices: [lineOf(4, { imsi: moved, state: 'suspend' })] });
    await settle();
    assert.equal(there(4), 'gone');
    assert.deepEqual(await differences(), []);
  });
});

describe('after old orders were deleted', () => {
  beforeEach(() => register.answers(done));
  const purge = async () => {
    while ((await deleteClosed(db, new Date(Date.now() + 3_600_000), 3)) > 0);
  };

  // proves network/kept-orders
  it('it is still known what an element has of a line: a refused order is put right, and an old IMSI removed', async () => {
    await act('suspend', 5);
    await act('restore', 5);
    await purge();
    register.answers(({ wanted }) => (wanted === 'suspended' ? silent : refused));
    await world.import({ devices: [lineOf(5, { state: 'suspend' })] });
    await settle();
    await act('restore', 5);
    assert.deepEqual(await differences(), [[imsi(5), 'hlr', 'suspended', 'active']]);
    await recover();
    await purge();
    const moved = imsi(8);
    await world.import({ devices: [lineOf(5, { imsi: moved, state: 'suspend' })] });
    await settle();
    assert.equal(there(5), 'gone');
    assert.equal(register.lines.get(moved)?.state, 'suspended');
    await purge();
    const left = await db.values(
      sql`select imsi || ' ' || wanted from network_order where imsi in (${imsi(5)}, ${moved})`,
    );
    assert.deepEqual(left, [`${moved} suspended`]);
  });
});
