import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { createReader } from '../../clients/console/src/app/read-again.ts';

const KEY = ['callbacks', 'an account'];

/** Observes the query as a page would. The test decides when each read ends. */
function look(kind: 'single answer' | 'list') {
  const queries = new QueryClient();
  const reads: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  };
  const observer =
    kind === 'list'
      ? new InfiniteQueryObserver(queries, {
          ...{ queryKey: KEY, queryFn, initialPageParam: 0 },
          getNextPageParam: () => undefined,
        })
      : new QueryObserver(queries, { queryKey: KEY, queryFn });
  const leave = observer.subscribe(() => {});
  return { queries, reads, leave };
}

describe('what the console shows', () => {
  for (const kind of ['single answer', 'list'] as const)
    it(`is read once more, as a ${kind}, when news comes while it is read for the first time`, async () => {
      const { queries, reads, leave } = look(kind);
      const reader = createReader(queries);
      reader.read(['callbacks']);
      await turn();
      assert.equal(reads.length, 1);
      reads[0]!.resolve('old');
      for (let turns = 0; turns < 100 && reads.length < 2; turns++) await turn();
      assert.equal(reads.length, 2);
      reader.stop();
      leave();
      queries.clear();
    });
});
