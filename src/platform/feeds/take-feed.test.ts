import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { concurrencyLimit } from '../flow-control/limits.ts';
import { createLog } from '../telemetry/log.ts';
import { type Feed, TooManyGivenUp } from './feed.ts';
import type { ParsedRecord } from './parse-records.ts';
import { type FeedInterrupted, REJECTED_MAX, takeFeed } from './take-feed.ts';

const RECORDS_PER_BATCH = 5_000;

async function* lines(count: number, line: (n: number) => string = String) {
  yield Buffer.from(Array.from({ length: count }, (_, n) => line(n)).join('\n'));
}

type Numbers = Feed<number, undefined, ParsedRecord<number>, 'accepted'>;

const numbers: Numbers = {
  name: 'usage',
  ctx: { newId: () => 'an id', log: createLog('silent') },
  share: { limit: concurrencyLimit(2), countGivenUp() {} },
  outcomes: ['accepted'],
  parse: (value) => (typeof value === 'number' ? { record: value } : { reason: 'is no number' }),
  lookUp: async () => undefined,
  evaluate: (records) => ({
    parts: new Map([['a', records]]),
    counts: {},
    rejected: [],
  }),
  write: async (_, part) => ({ counts: { accepted: part.length }, rejected: [] }),
};

describe('a feed', () => {
  it('breaks off after a batch with which too many records were rejected', async () => {
    const share = { ...numbers.share, sizes: { bytesMax: Infinity, linesMax: Infinity, rejectedMax: 10 } };
    for (const [bad, batches] of [
      [10, 3],
      [11, 1],
    ] as const) {
      const text = (n: number) => (n < bad ? 'no' : '1');
      const taken = await takeFeed(lines(3 * RECORDS_PER_BATCH, text), { ...numbers, share });
      assert.equal(taken.rejectedTotal, bad);
      assert.equal(taken.accepted >= batches * RECORDS_PER_BATCH - bad, true);
      assert.equal(taken.brokenBecause, bad > 10 ? 'has more than 10 rejected records' : undefined);
      assert.equal(taken.accepted < 3 * RECORDS_PER_BATCH - bad, bad > 10);
    }
  });

  it('looks up only the next batch while one is written', async () => {
    const story: string[] = [];
    const written = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const nthOf = (first: number | undefined) => (first ?? 0) / RECORDS_PER_BATCH;
    const taking = takeFeed(lines(3 * RECORDS_PER_BATCH), {
      ...numbers,
      async lookUp([first]) {
        story.push(`look up ${nthOf(first?.record)}`);
        return undefined;
      },
      async write(_, part) {
        const nth = nthOf(part[0]?.record);
        story.push(`write ${nth}`);
        await written[nth]!.promise;
        return { counts: { accepted: part.length }, rejected: [] };
      },
    });
    const settle = async () => {
      for (let round = 0; round < 20; round++) await setImmediate();
      return story.splice(0);
    };
    assert.deepEqual(await settle(), ['look up 0', 'write 0', 'look up 1']);
    written[0]!.resolve();
    assert.deepEqual(await settle(), ['write 1', 'look up 2']);
    written[1]!.resolve();
    assert.deepEqual(await settle(), ['write 2']);
    written[2]!.resolve();
    assert.equal((await taking).accepted, 3 * RECORDS_PER_BATCH);
  });

  it('uses the shared limit for each look-up and for the part of each profile', async () => {
    let [running, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
    };
    const feed: Numbers = {
      ...numbers,
      async lookUp() {
        await work();
        return undefined;
      },
      evaluate: (records) => ({
        parts: Map.groupBy(records, ({ record }) => String(record % 7)),
        counts: {},
        rejected: [],
      }),
      async write(_, part) {
        await work();
        return { counts: { accepted: part.length }, rejected: [] };
      },
    };
    const taken = await Promise.all([1, 2, 3].map(() => takeFeed(lines(70), feed)));
    assert.deepEqual([taken.map(({ accepted }) => accepted), most], [[70, 70, 70], 2]);
  });

  it('counts all rejected records, names the first of them by line, and says why it broke off', async () => {
    const line = (n: number) => (n % 2 === 0 ? '"no"' : String(n));
    const counted: object[] = [];
    const watch = (counts: object) => void counted.push(counts);
    async function* broken() {
      yield Buffer.from('[');
      for await (const part of lines(RECORDS_PER_BATCH + 2, (n) => `${line(n)},`)) yield part;
    }
    const taken = await takeFeed(broken(), { ...numbers, measure: watch });
    const { rejected, ...rest } = taken;
    assert.deepEqual(rest, {
      accepted: RECORDS_PER_BATCH / 2 + 1,
      rejectedTotal: RECORDS_PER_BATCH / 2 + 1,
      brokenBecause: 'ends before its array does',
    });
    assert.deepEqual(
      rejected.map((each) => each.line),
      Array.from({ length: REJECTED_MAX }, (_, n) => 2 * n + 1),
    );
    assert.deepEqual(counted, [
      { accepted: 2_500, rejected: 2_500 },
      { accepted: 1, rejected: 1 },
    ]);
  });

  it('ends with the failure of a write, even of the last one', async () => {
    const failing = { ...numbers, write: () => Promise.reject(new Error('no room')) };
    const isReported = ({ cause, taken }: FeedInterrupted) =>
      /no room/.test(String(cause)) && taken['accepted'] === 0;
    await assert.rejects(takeFeed(lines(1), failing), isReported);
    await assert.rejects(takeFeed(lines(2 * RECORDS_PER_BATCH), failing), isReported);
  });

  it('reports at a failure what was taken before, including other profiles of the same batch', async () => {
    const feed: Numbers = {
      ...numbers,
      evaluate: (records) => ({
        parts: Map.groupBy(records, ({ record }) => String(record % 2)),
        counts: {},
        rejected: [],
      }),
      async write(ecpdId, part) {
        await setImmediate();
        if (ecpdId === '1' && part[0]!.record > RECORDS_PER_BATCH) throw new Error('no room');
        return { counts: { accepted: part.length }, rejected: [] };
      },
    };
    await assert.rejects(
      takeFeed(lines(2 * RECORDS_PER_BATCH), feed),
      ({ taken }: FeedInterrupted) => taken['accepted'] === 1.5 * RECORDS_PER_BATCH,
    );
  });

  it('halves a batch that fails for its data, gives up records that fail twice alone, and writes the rest once and in order', async () => {
    const bad = new Set([0, 17, 18, 99]);
    const written: number[] = [];
    const lost = () => Object.assign(new Error('bad data'), { code: '22003' });
    const taken = await takeFeed(lines(100), {
      ...numbers,
      async write(_, part) {
        if (part.some(({ record }) => bad.has(record))) throw lost();
        written.push(...part.map(({ record }) => record));
        return { counts: { accepted: part.length }, rejected: [] };
      },
    });
    assert.deepEqual([taken.accepted, taken.rejected.map(({ line }) => line)], [96, [1, 18, 19, 100]]);
    assert.deepEqual(
      written,
      Array.from({ length: 100 }, (_, n) => n).filter((n) => !bad.has(n)),
    );
  });

  it('gives up at most ten records of a batch, counting failed look-ups and failed writes together', async () => {
    const lost = () => Object.assign(new Error('bad data'), { code: '22003' });
    const failing = (lookUps: number, writes: number) =>
      takeFeed(lines(100), {
        ...numbers,
        async lookUp(records) {
          if (records.some(({ record }) => record < lookUps)) throw lost();
          return undefined;
        },
        async write(_, part) {
          if (part.some(({ record }) => record >= 100 - writes)) throw lost();
          return { counts: { accepted: part.length }, rejected: [] };
        },
      });
    assert.equal((await failing(4, 6)).rejectedTotal, 10);
    await assert.rejects(failing(5, 6), ({ cause }: FeedInterrupted) => cause instanceof TooManyGivenUp);
  });

  it('rejects no record that fails once and succeeds the second time', async () => {
    let calls = 0;
    const taken = await takeFeed(lines(1), {
      ...numbers,
      async write(_, part) {
        if (++calls === 1) throw Object.assign(new Error('another was faster'), { code: '23505' });
        return { counts: { accepted: part.length }, rejected: [] };
      },
    });
    assert.deepEqual([taken.accepted, taken.rejected], [1, []]);
  });

  it('gives up a record whose look-up fails for its data, with a reference to the log, and counts it', async () => {
    const logged: { reference?: string; feed?: string; line?: number; cause?: { code?: string } }[] = [];
    const counted: [string, number][] = [];
    const log = {
      ...createLog('silent'),
      error: (fields: object) => void logged.push(fields),
    } as Numbers['ctx']['log'];
    const taken = await takeFeed(lines(100), {
      ...numbers,
      ctx: { newId: () => 'a reference', log },
      share: { ...numbers.share, countGivenUp: (...what) => void counted.push(what) },
      async lookUp(records) {
        if (records.some(({ record }) => record === 42))
          throw Object.assign(new Error('no integer: "what it said"'), { code: '22P02' });
        return undefined;
      },
    });
    assert.equal(taken.accepted, 99);
    assert.deepEqual(taken.rejected, [
      { line: 43, reason: 'could not be taken; see the log for a reference' },
    ]);
    assert.deepEqual(
      logged.map(({ reference, feed, line, cause }) => [reference, feed, line, cause?.code]),
      [['a reference', 'usage', 43, '22P02']],
    );
    assert.doesNotMatch(JSON.stringify(logged), /what it said/);
    assert.deepEqual(counted, [['usage', 1]]);
  });
});
