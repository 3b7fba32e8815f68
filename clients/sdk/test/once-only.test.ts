import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCredential } from '../credential.ts';
import { createRecentIds } from '../recent-ids.ts';

describe('a token that calls share', () => {
  it('is not ended by who says late that the one before it has', async () => {
    let made = 0;
    const credential = createCredential(async () => `t${++made}`);
    assert.equal(await credential.get(), 't1');
    credential.end('t1');
    assert.equal(await credential.get(), 't2');
    credential.end('t1');
    assert.equal(await credential.get(), 't2');
  });

  it('is not one that was asked for with the credentials before', async () => {
    const asked: PromiseWithResolvers<string>[] = [];
    const credential = createCredential(() => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)!.promise;
    });
    const old = credential.get();
    credential.reset();
    const now = credential.get();
    asked[1]!.resolve('new');
    assert.equal(await now, 'new');
    asked[0]!.resolve('old');
    assert.deepEqual([await old, credential.current], ['old', 'new']);
  });
});

describe('messages with ids', () => {
  it('that come while one of them is worked on wait for its end and are not worked on', async () => {
    const recent = createRecentIds(10);
    const working = Promise.withResolvers<void>();
    let runs = 0;
    const run = () => {
      runs++;
      return working.promise;
    };
    const all = [recent.once('a', run), recent.once('a', run), recent.once('b', run)];
    working.resolve();
    assert.deepEqual([await Promise.all(all), runs], [['done', 'repeated', 'done'], 2]);
  });

  it('fail together when the work does, and are worked on when they come again', async () => {
    const recent = createRecentIds(10);
    const failing = async () => {
      throw new Error('not now');
    };
    const all = await Promise.allSettled([recent.once('a', failing), recent.once('a', failing)]);
    assert.deepEqual(
      all.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await recent.once('a', () => {}), 'done');
  });
});
