import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openCustomersApart, until } from '../support/customers-apart.ts';
import { holdTable, placeOf } from '../support/worker-server.ts';

const scene = await openCustomersApart();
const { world, listener, list, feed, post, heard, one: slow, other: quick } = scene;
const { db } = world.ctx;
await until(() => db.servers.serverOf(slow) !== undefined && db.servers.serverOf(quick) !== undefined);

let release: (() => Promise<void>) | undefined;
after(() => release?.());

const CALLS = 40;
const statuses: number[] = [];
const calls: Promise<unknown>[] = [];

describe('while every statement about devices waits on one worker', () => {
  it('calls of customers on another are answered, their callbacks leave, their usage is taken', async () => {
    release = await holdTable(world.databaseUrl, await placeOf(db, slow), 'device');
    for (let n = 0; n < CALLS; n++)
      calls.push(list(slow).then(({ statusCode }) => statuses.push(statusCode)));
    calls.push(feed(slow, 1_000).then(({ statusCode }) => statuses.push(statusCode)));
    for (let n = 0; n < 20; n++) assert.equal((await list(quick)).statusCode, 200);
    await post(quick, 1);
    await listener.next(1);
    assert.deepEqual(heard(), [1]);
    const fed = await feed(quick, 1_000);
    assert.deepEqual([fed.statusCode, fed.json().accepted], [200, 1], fed.body);
    assert.ok(statuses.length < calls.length, 'nothing waited: the worker was not slow');
  });

  it('200 or 503: every call for it ends, and it is served again when it is quick', async () => {
    await release!();
    release = undefined;
    await Promise.all(calls);
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status !== 503),
      [],
    );
    assert.equal((await list(slow)).statusCode, 200);
  });
});

describe('while a worker answers nothing', () => {
  it('counts as down, and its customers do not wait for it', async () => {
    release = await holdTable(world.databaseUrl, await placeOf(db, slow), 'profile');
    await until(() => !db.servers.isReachable(slow));
    assert.equal((await list(slow)).statusCode, 503);
    assert.equal((await list(quick)).statusCode, 200);
    await release();
    release = undefined;
    await until(() => db.servers.isReachable(slow));
    assert.equal((await list(slow)).statusCode, 200);
  });
});
