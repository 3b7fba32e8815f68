import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../test/support/cases.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { inTx } from '../../../platform/context/context.ts';
import { prepareMove } from '../../usage/index.ts';
import { lineMover } from '../move-lines.ts';
import { NOON, openMoveWorld } from './scene.ts';

const HOUR_MS = 3_600_000;
const after = (hours: number) => new Date(NOON.getTime() + hours * HOUR_MS);
const at = (hours: number) => ({ at: after(hours).toISOString() });

const nextScene = await openMoveWorld();

describe('a record of usage', () => {
  // proves lines/late-records
  it('counts for the owner at its time, whenever it arrives', async () => {
    const scene = await nextScene();
    const { feed, moved, counted, world, ACCOUNT, MANAGED, MDN } = scene;
    await feed([at(-1)]);
    await moved(MANAGED);
    world.clock.holdAt(after(2));
    const fed = await feed([at(-2), { ...at(-3), kind: 'mdn', device: MDN }, at(0), at(1), at(2)]);
    assert.equal(fed.accepted, 5);
    assert.deepEqual(await counted(), { [`${ACCOUNT} P-5MB`]: 3_000, [`${MANAGED} P-5MB`]: 3_000 });
    assert.deepEqual(await scene.differences(), []);
  });

  it('counts for the plan the line had then, even if it has another one in its new account', async () => {
    const { world, deactivated, activated, feed, counted, ACCOUNT, MANAGED } = await nextScene();
    await deactivated();
    world.clock.holdAt(after(1));
    await activated('P-NEW');
    world.clock.holdAt(after(2));
    await feed([at(-1), at(2)]);
    assert.deepEqual(await counted(), { [`${ACCOUNT} P-5MB`]: 1_000, [`${MANAGED} P-NEW`]: 1_000 });
  });

  // proves lines/late-records
  it('finds the owner after moves back and forth, and through two customers', async () => {
    const { world, moved, deactivated, feed, counted, ACCOUNT, MANAGED, STRANGER } = await nextScene();
    await moved(MANAGED);
    world.clock.holdAt(after(1));
    await moved(ACCOUNT);
    world.clock.holdAt(after(2));
    await deactivated();
    await moved(STRANGER);
    world.clock.holdAt(after(3));
    await feed([at(-0.5), { ...at(0.5), bytes: 20 }, { ...at(1.5), bytes: 300 }, { ...at(2.5), bytes: 7 }]);
    assert.deepEqual(await counted(), {
      [`${ACCOUNT} P-5MB`]: 1_300,
      [`${MANAGED} P-5MB`]: 20,
      [`${STRANGER} `]: 7,
    });
  });

  it('with an identifier that another line has now counts for the line that had it then', async () => {
    const { world, feed, counted, ACCOUNT, STRANGER, IMEI } = await nextScene();
    await world.operator('DELETE', `/devices/imei/${IMEI}`);
    world.clock.holdAt(after(1));
    await world.import({ devices: [{ accountName: STRANGER, imei: IMEI, servicePlan: 'P-5MB' }] });
    world.clock.holdAt(after(2));
    const { accepted, rejected } = await feed([at(-1), at(0.5), { ...at(1.5), bytes: 7 }]);
    assert.equal(accepted, 2);
    assert.deepEqual(rejected, [{ line: 2, reason: 'device is not known' }]);
    assert.deepEqual(await counted(), { [`${ACCOUNT} P-5MB`]: 1_000, [`${STRANGER} P-5MB`]: 7 });
  });

  it('of a deleted account counts for no account', async () => {
    const { world, moved, feed, counted, ACCOUNT, MANAGED } = await nextScene();
    await moved(MANAGED);
    await world.operator('DELETE', `/accounts/${ACCOUNT}`);
    world.clock.holdAt(after(1));
    assert.equal((await feed([at(-1), at(1)])).accepted, 1);
    assert.deepEqual(await counted(), { [`${MANAGED} P-5MB`]: 1_000 });
  });
});

describe('while lines move', () => {
  // proves lines/late-records
  it('every record counts once, for the owner at its time, however many moves and feeds run at once', async () => {
    const scene = await nextScene();
    const { world, moved, feed, counted, ACCOUNT, MANAGED, IMEI } = scene;
    world.clock.release();
    const MOVES = casesOf({ everyday: 6, all: 30 });
    let isOver = false;
    let sent = 0;
    const feeder = async () => {
      while (!isOver) {
        const now = world.ctx.now().toISOString();
        const { accepted } = await feed(Array.from({ length: 20 }, () => ({ at: now, bytes: 1 })));
        sent += accepted;
      }
    };
    const feeding = [feeder(), feeder()];
    for (let n = 0; n < MOVES; n++) await moved(n % 2 === 0 ? MANAGED : ACCOUNT);
    isOver = true;
    await Promise.all(feeding);
    const bytes = Object.values(await counted()).reduce((sum, one) => sum + one, 0);
    assert.equal(bytes, sent);
    const strays = await scene.db.many({
      text: `select r.account_name, r.at from usage_record r
             where r.account_name = any($2) and not exists (
               select from earlier_owner o where o.kind = 'imei' and o.value = $1 and o.account_name = r.account_name
                 and (o.from_at is null or o.from_at <= r.at) and r.at < o.to_at)
             and not exists (
               select from device_identifier i where i.kind = 'imei' and i.value = $1 and i.account_name = r.account_name
                 and (i.since is null or i.since <= r.at))`,
      values: [IMEI, [ACCOUNT, MANAGED]],
    });
    assert.deepEqual(strays, []);
    assert.deepEqual(await scene.differences(), []);
  });

  it('a batch that was looked up before the line left is looked up again', async () => {
    const { world, feed, counted, PROFILE, ACCOUNT, MANAGED, IMEI } = await nextScene();
    const from = { ecpdId: PROFILE, accountName: ACCOUNT } as never;
    const to = { ecpdId: PROFILE, accountName: MANAGED } as never;
    const { deviceId } = await world.ctx.db.one<{ deviceId: string }>({
      text: 'select device_id as "deviceId" from device where imei = $1',
      values: [IMEI],
    });
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const moving = inTx(world.ctx, async (tx) => {
      await prepareMove(tx, PROFILE, [ACCOUNT]);
      isHeld.resolve();
      await held.promise;
      await lineMover(() => {})(tx, { from, to, deviceIds: [deviceId], changedBy: 'test' });
    });
    await isHeld.promise;
    const feeding = feed([at(-1), at(0)]);
    await untilWaiting(world.ctx.db, { unless: feeding });
    held.resolve();
    await moving;
    assert.equal((await feeding).accepted, 2);
    assert.deepEqual(await counted(), { [`${ACCOUNT} P-5MB`]: 1_000, [`${MANAGED} P-5MB`]: 1_000 });
  });
});
