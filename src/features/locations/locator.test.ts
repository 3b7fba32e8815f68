import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PositionSource, SourceRefused, type Target } from './location.ts';
import { createLocator } from './locator.ts';

const target = (n: number, accountName = 'a') => ({ ecpdId: 'p', accountName, deviceId: `d${n}` }) as Target;
const targets = (count: number, accountName?: string) =>
  Array.from({ length: count }, (_, n) => target(n, accountName));
const fix = { latitude: 1, longitude: 2, radiusM: 3, at: new Date(0) };

/** A source that records its requests and answers as configured. */
function sourceOf(locate: PositionSource['locate'], batchMax = 10) {
  const batches: (readonly Target[])[] = [];
  const source: PositionSource = {
    name: 'test',
    batchMax,
    locate: (batch, request) => {
      batches.push(batch);
      return locate(batch, request);
    },
  };
  return { batches, source };
}
const all: PositionSource['locate'] = async (batch) =>
  new Map(batch.map(({ deviceId }) => [deviceId, { fix }]));
const ignore = () => {};

describe('the locator', () => {
  it('requests at most as many devices at a time as the source allows, and each of them once', async () => {
    const { batches, source } = sourceOf(all);
    const { answers, trouble } = await createLocator(source, ignore).locate(targets(25), 'coarse');
    assert.deepEqual(
      batches.map(({ length }) => length),
      [10, 10, 5],
    );
    assert.deepEqual([answers.size, trouble], [25, undefined]);
  });

  it('answers a device that the source omits as one without location data', async () => {
    const { source } = sourceOf(async () => new Map([['d0', { fix }]]));
    const { answers } = await createLocator(source, ignore).locate(targets(2), 'coarse');
    assert.deepEqual(answers.get('d0'), { fix });
    assert.deepEqual(answers.get('d1'), { failure: { type: 'SVC DEVICE LOCATION DATA UNAVAILABLE' } });
  });

  it('answers every device as without location data if there is no source', async () => {
    const { answers, trouble } = await createLocator(undefined, ignore).locate(targets(1), 'precise');
    assert.deepEqual(answers.get('d0'), { failure: { type: 'SVC DEVICE LOCATION DATA UNAVAILABLE' } });
    assert.equal(trouble, undefined);
  });

  it('keeps the answers of successful requests if others fail', async () => {
    const { source } = sourceOf(async (batch, request) => {
      if (batch[0]!.deviceId === 'd0') throw new Error('connection refused');
      return all(batch, request);
    });
    const { answers, trouble } = await createLocator(source, ignore).locate(targets(20), 'coarse');
    assert.deepEqual([answers.size, trouble], [10, 'unreachable']);
  });

  it('distinguishes a source that refuses from one that is not reached', async () => {
    const { source } = sourceOf(async () => {
      throw new SourceRefused('not now');
    });
    const { answers, trouble } = await createLocator(source, ignore).locate(targets(1), 'coarse');
    assert.deepEqual([answers.size, trouble], [0, 'refused']);
  });

  it('times out if the source does not answer, and aborts its request', async () => {
    const aborted = Promise.withResolvers<void>();
    const { source } = sourceOf((_, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => {});
    });
    const { trouble } = await createLocator(source, ignore, { timeLimitMs: 10 }).locate(targets(1), 'coarse');
    assert.equal(trouble, 'unreachable');
    await aborted.promise;
  });

  it('stops querying a source that was not reached several times in a row', async () => {
    const { batches, source } = sourceOf(async () => {
      throw new Error('connection refused');
    });
    const locator = createLocator(source, ignore);
    for (let n = 0; n < 10; n++) await locator.locate(targets(1), 'coarse');
    assert.deepEqual([batches.length, locator.isCircuitOpen()], [5, true]);
  });

  it('does not let one account with many requests delay another', async () => {
    const { batches, source } = sourceOf(async (batch, request) => {
      await sleep(1);
      return all(batch, request);
    });
    const locator = createLocator(source, ignore);
    const much = locator.locate(targets(5_000, 'much'), 'coarse');
    await locator.locate(targets(5, 'little'), 'coarse');
    const place = batches.findIndex(([first]) => first!.accountName === 'little');
    assert.ok(place <= 40, `batches as number ${place} of 501`);
    assert.equal((await much).answers.size, 5_000);
  });
});
