import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ECPD } from '../../../../test/support/callback-scene.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { inTx } from '../../../platform/context/context.ts';
import type { DueMessage } from '../delivery/lane.ts';
import { postCallbacks } from '../messages/post-callback.ts';
import { callback, openLane } from './lane-scene.ts';

type Opened = Awaited<ReturnType<typeof openLane>>;

/** A call that has posted, and commits when the test says so; the queue is notified only then. */
async function postLater({ ctx, queue }: Opened, ...requestIds: readonly string[]) {
  const [posted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = inTx(ctx, async (tx) => {
    await postCallbacks(
      tx,
      ECPD,
      requestIds.map((requestId) => callback(requestId)),
    );
    posted.resolve();
    await commit.promise;
  });
  await posted.promise;
  return async () => {
    commit.resolve();
    await committed;
    queue.poke();
  };
}

/** Posts, commits, reads, fails to read, sends and settles in random order to the end; returns what was sent. */
async function playAtRandom(opened: Opened, seed: number) {
  const { queue, read, settle, post, pass, failing } = opened;
  const random = randomFor(`due queue ${seed}`);
  const [out, sent]: [DueMessage[], string[]] = [[], []];
  let commit: (() => Promise<void>) | undefined;
  let posted = 0;
  const send = () => {
    const message = queue.waiting.length > 0 ? queue.take(0) : undefined;
    if (message === undefined) return;
    out.push(message);
    sent.push(message.requestId);
  };
  const steps = [
    async () => {
      commit ??= await postLater(opened, String(posted++));
      pass(1);
    },
    async () => {
      await commit?.();
      commit = undefined;
    },
    async () => {
      await post(String(posted++));
      queue.poke();
      pass(1);
    },
    read,
    async () => {
      failing.nextRead = queue.wantsMore;
      await read().catch(() => {});
    },
    async () => queue.markStale(),
    async () => send(),
    async () => settle(out.splice(0, random.between(1, 3))),
    async () => {
      const reading = read();
      await settle(out.splice(0));
      await reading;
    },
    async () => {
      queue.open(false);
      queue.poke();
    },
  ];
  for (let step = 0; step < 60; step++) await random.pick(steps)();
  await commit?.();
  const isLeft = () => {
    queue.markStale();
    return queue.wantsMore || queue.waiting.length > 0 || out.length > 0;
  };
  while (isLeft()) {
    await read();
    while (queue.waiting.length > 0) send();
    await settle(out.splice(0));
  }
  return { posted, sent };
}

describe('the due messages of a lane', () => {
  it('are each handed out once, however late they are committed behind what was read', async () => {
    const opened = await openLane();
    for (let seed = 1; seed <= 6; seed++) {
      const { posted, sent } = await playAtRandom(opened, seed);
      assert.ok(posted > 0);
      assert.deepEqual(
        sent.map(Number).sort((a, b) => a - b),
        Array.from({ length: posted }, (_, n) => n),
        `seed ${seed}`,
      );
    }
  });

  it('are not handed out again if one is committed late and the last one is settled during the read', async () => {
    const opened = await openLane();
    const { queue, read, settle, post, pass } = opened;
    const commit = await postLater(opened, 'late');
    pass(1);
    await post('r-1');
    await read();
    const first = queue.take(0)!;
    await commit();
    await queue.read(async () => {
      await settle([first]);
      queue.open(true);
    });
    assert.equal(queue.take(0)!.requestId, 'late');
    queue.poke();
    await read();
    assert.deepEqual(queue.waiting, []);
  });

  it('are in order again after the listener was absent', async () => {
    const { queue, read, post, pass } = await openLane();
    for (const requestId of ['r-1', 'r-2', 'r-3']) {
      await post(requestId);
      pass(1);
    }
    await read();
    queue.take(0);
    // The late scan behind the cursor has just run.
    queue.poke();
    await read();
    queue.open(false);
    await post('r-4');
    queue.poke();
    await read();
    assert.deepEqual(
      queue.waiting.map(({ requestId }) => requestId),
      ['r-2', 'r-3', 'r-4'],
    );
  });

  it('are in order even if the listener was absent only during the read', async () => {
    const { queue, read, post, pass } = await openLane();
    for (const requestId of ['r-1', 'r-2']) {
      await post(requestId);
      pass(1);
    }
    await read();
    queue.take(0);
    await post('r-3');
    queue.poke();
    await queue.read(async () => {
      queue.open(false);
      queue.open(true);
    });
    await read();
    assert.deepEqual(
      queue.waiting.map(({ requestId }) => requestId),
      ['r-2', 'r-3'],
    );
  });

  it('are not read again if the first read found all', async () => {
    const { queue, read, settle, post } = await openLane();
    await post('r-1');
    await read();
    await settle([queue.take(0)!]);
    assert.equal(queue.wantsMore, false);
    queue.poke();
    assert.equal(queue.wantsMore, true);
  });

  it('are read again if a notification arrived during the read', async () => {
    const { queue, read } = await openLane();
    const pendingRead = read();
    queue.poke();
    await pendingRead;
    assert.equal(queue.wantsMore, true);
  });

  it('are read once more after a notification of one that is not yet due by the clock of this machine', async () => {
    const { ctx, queue, read, pass } = await openLane();
    const ahead = { ...ctx, now: () => new Date(ctx.now().getTime() + 50) };
    await inTx(ahead, (tx) => postCallbacks(tx, ECPD, [callback('r-1')]));
    queue.poke();
    await read();
    assert.deepEqual([queue.waiting.length, queue.wantsMore], [0, false]);
    pass(100);
    queue.markStale();
    await read();
    assert.equal(queue.waiting.length, 1);
  });

  it('are not read repeatedly without a notification', async () => {
    const { queue, read } = await openLane();
    for (let round = 0; round < 2; round++) {
      await read();
      queue.markStale();
    }
    assert.equal(queue.wantsMore, false);
  });

  it('are read again after a failed read, but not at once', async () => {
    const { queue, read, post, failing } = await openLane();
    await post('r-1');
    failing.nextRead = true;
    await assert.rejects(read());
    assert.equal(queue.wantsMore, false);
    queue.markStale();
    await read();
    assert.equal(queue.waiting.length, 1);
  });

  it('are read again if more were committed late than one scan finds', async () => {
    const opened = await openLane();
    const { queue, read, settle, post, pass } = opened;
    const late = Array.from({ length: 700 }, (_, n) => `late-${n}`);
    const commit = await postLater(opened, ...late);
    pass(1);
    await post('r-1');
    await read();
    const first = queue.take(0)!;
    await commit();
    const sent: DueMessage[] = [];
    await read();
    while (queue.waiting.length > 0) sent.push(queue.take(0)!);
    assert.ok(sent.length < late.length);
    await settle([first, ...sent]);
    while (queue.wantsMore) {
      await read();
      while (queue.waiting.length > 0) sent.push(queue.take(0)!);
    }
    assert.equal(new Set(sent.map(({ requestId }) => requestId)).size, late.length);
  });
});
