import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import * as network from '../../src/features/network/carrying/sql-lane.ts';
import * as notifications from '../../src/features/notifications/delivery/sql-lane.ts';
import * as files from '../../src/features/usage-files/sql.ts';
import { SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { db } = world.ctx;
const ecpdId = '9000001';

describe('a released lease', () => {
  it('is not restored by a late renewal: an element', async () => {
    const claim = () => network.claimLane(db, { ecpdId, element: 'hlr' }, randomUUID());
    const lanes = await claim();
    assert.equal((await network.renewLanes(db, ecpdId, lanes)).length, 1);
    await network.releaseLane(db, lanes[0]!);
    assert.deepEqual(await network.renewLanes(db, ecpdId, lanes), []);
    assert.equal((await claim()).length, 1);
  });

  it('is not restored by a late renewal: mail of a profile', async () => {
    const claim = () => notifications.claimLane(db, { ecpdId, channel: 'mail' }, randomUUID());
    const lanes = await claim();
    assert.equal((await notifications.renewLanes(db, ecpdId, lanes)).length, 1);
    await notifications.releaseLane(db, lanes[0]!);
    assert.deepEqual(await notifications.renewLanes(db, ecpdId, lanes), []);
    assert.equal((await claim()).length, 1);
  });

  it('is not restored by a late renewal: a file of usage', async () => {
    const now = new Date();
    const file = { folder: 'in', name: 'a.csv', bytes: 1, modifiedAt: now, changedAt: now };
    const token = randomUUID();
    await files.claimFile(db, file, token);
    assert.equal(await files.renewFile(db, file, token), true);
    await files.releaseFile(db, file, token);
    assert.equal(await files.renewFile(db, file, token), false);
    assert.notEqual(await files.claimFile(db, file, randomUUID()), undefined);
  });
});
