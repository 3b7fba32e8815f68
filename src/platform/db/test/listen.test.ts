import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../db.ts';
import { openNotificationFeed } from '../listen.ts';
import { sql } from '../sql.ts';
import { openProxy } from './proxy.ts';

const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 4 });
const proxy = await openProxy(url);
const feed = await openNotificationFeed(proxy.url, ['news']);
after(async () => {
  await feed.close();
  await proxy.close();
  await db.close();
  await drop();
});
const until = async (condition: () => boolean) => {
  for (let i = 0; i < 3_000 && !condition(); i++) await sleep(20);
  assert.ok(condition());
};

describe('the notification feed', () => {
  it('receives notifications again after the database hung, and closes the connections that it gave up', async () => {
    let gaps = 0;
    const heard: string[] = [];
    feed.onGap(() => gaps++);
    feed.on('news', (text) => heard.push(text));
    proxy.hang();
    await until(() => !feed.isCurrent());
    // The heartbeat has given up. So does a client that connects, or starts to listen: another one follows it.
    const tried = proxy.countTried();
    await until(() => proxy.countTried() >= tried + 2);
    proxy.hangOn('listen "news"');
    proxy.resume();
    await until(() => proxy.countHung() >= 2);
    proxy.hangOn(undefined);
    await until(() => feed.isCurrent());
    await db.exec(sql`select pg_notify('news', 'after')`);
    await until(() => heard.includes('after'));
    assert.equal(gaps, 1);
    await until(() => proxy.countOpen() === 1);
  });

  it('closes even if the server is gone and does not answer', { timeout: 30_000 }, async () => {
    const toNowhere = await openProxy(url);
    const left = await openNotificationFeed(toNowhere.url, ['news']);
    toNowhere.vanish();
    await left.close();
    await toNowhere.close();
  });
});
