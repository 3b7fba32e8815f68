import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { hashToken } from '../../../platform/crypto/token.ts';
import type { Db } from '../../../platform/db/db.ts';
import { createLiveAccess } from '../index.ts';
import { findSession } from '../sql-user.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);

const silentFeed = {
  on() {},
  onGap() {},
  catchUp: async () => {},
  isCurrent: () => true,
  close: async () => {},
};

it('uses of a session that could not be written are written the next time, and never over newer ones', async () => {
  const tokenHash = hashToken((await asUser(world)).sessionToken);
  const start = world.ctx.now().getTime();
  let exec: Db['exec'] = () => Promise.reject(new Error('the database is away'));
  const db: Db = { ...world.ctx.db, exec: (query) => exec(query) };
  const access = createLiveAccess(db, silentFeed, () => {});
  after(() => access.stop());
  const lastUsed = async () => (await findSession(world.ctx.db, tokenHash))?.lastUsedAt.getTime();

  await access.session(tokenHash, start + 1_000);
  await assert.rejects(access.flush(), /away/);
  exec = world.ctx.db.exec;
  await access.flush();
  assert.equal(await lastUsed(), start + 1_000);

  await access.session(tokenHash, start + 2_000);
  exec = async () => {
    // Used again during the write.
    await access.session(tokenHash, start + 3_000);
    throw new Error('the database is away');
  };
  await assert.rejects(access.flush(), /away/);
  exec = world.ctx.db.exec;
  await access.flush();
  assert.equal(await lastUsed(), start + 3_000);

  await access.session(tokenHash, start + 4_000);
  exec = async (query) => {
    await access.session(tokenHash, start + 5_000);
    return world.ctx.db.exec(query);
  };
  await access.flush();
  exec = world.ctx.db.exec;
  await access.flush();
  assert.equal(await lastUsed(), start + 5_000);
});
