import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededChance } from '../platform/chance/seeded-chance.ts';
import type { NotificationFeed } from '../platform/db/listen.ts';
import { chanceLater, feedLater, nodesLater } from './opened-later.ts';

function fakeFeed() {
  const listeners = new Map<string, (payload: string) => void>();
  let isClosed = false;
  const feed: NotificationFeed = {
    on: (channel, listener) => void listeners.set(channel, listener),
    onGap: () => {},
    catchUp: async () => {},
    isCurrent: () => true,
    close: async () => {
      isClosed = true;
    },
  };
  return {
    feed,
    say: (channel: string, payload: string) => listeners.get(channel)?.(payload),
    isClosed: () => isClosed,
  };
}

test('who listens before the feed is open hears what is said from then on, and nothing is current before', async () => {
  const { feed, say } = fakeFeed();
  const { face, open } = feedLater();
  const heard: string[] = [];
  face.on('early', (payload) => heard.push(payload));
  assert.equal(face.isCurrent(), false);
  await face.catchUp();
  const opening = Promise.resolve(feed);
  open(opening);
  await opening;
  face.on('late', (payload) => heard.push(payload));
  say('early', 'one');
  say('late', 'two');
  assert.deepEqual(heard, ['one', 'two']);
  assert.equal(face.isCurrent(), true);
});

test('a feed that is closed while it is being opened does not stay open', async () => {
  const { feed, isClosed } = fakeFeed();
  const { face, open } = feedLater();
  const { promise, resolve } = Promise.withResolvers<NotificationFeed>();
  open(promise);
  const closing = face.close();
  resolve(feed);
  await closing;
  assert.ok(isClosed());
});

test('a feed that was never opened, or could not be, is closed without a failure', async () => {
  await feedLater().face.close();
  const { face, open } = feedLater();
  open(Promise.reject(new Error('no database')));
  await face.close();
});

test('work that is named before the database is open draws what it would draw afterwards', () => {
  const { face, open } = chanceLater('7');
  const work = face.of(() => 'work').of(() => 'part of it');
  assert.throws(() => work.newId(), /not open yet/);
  open(seededChance('7', 3));
  const expected = seededChance('7', 3)
    .of(() => 'work')
    .of(() => 'part of it');
  assert.deepEqual(
    [work.newId(), work.newId(), work.bytes(40)],
    [expected.newId(), expected.newId(), expected.bytes(40)],
  );
  assert.ok(face.repeats && work.repeats);
});

test('without a seed ids are made up before the database is open, and never twice', () => {
  const { face } = chanceLater(undefined);
  assert.equal(face.repeats, false);
  assert.notEqual(face.newId(), face.newId());
});

test('a process that has not joined the others knows nothing of them', async () => {
  const { face } = nodesLater();
  await assert.rejects(face.countOthers(), /not open yet/);
  await face.stop();
});
