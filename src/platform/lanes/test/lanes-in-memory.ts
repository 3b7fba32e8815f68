import { setTimeout as sleep } from 'node:timers/promises';
import { makeCtx } from '../../../../test/support/ctx.ts';
import type { Db } from '../../db/db.ts';
import { unreportedLoop } from '../../health/health.ts';
import { LaneEngine } from '../engine.ts';
import type { Finishing, Lane, LaneKind, LaneWorker, Pool } from '../lane.ts';

export interface Named extends Lane {
  readonly name: string;
}

/** Lanes kept in memory: the test decides what is due, who holds it, and when work ends. */
export function makeLanes(
  pool: Pool,
  more: Partial<
    Pick<
      LaneKind<Named, Named, Pool, LaneWorker>,
      keyof Finishing | 'aheadMax' | 'listsAll' | 'notifiesAll' | 'isAwaited'
    >
  > = {},
) {
  const due = new Map<string, Named>();
  const [lostByUs, released]: [Set<string>, string[][]] = [new Set(), []];
  const working = new Map<string, PromiseWithResolvers<void> & { calls: string[] }>();
  const ctx = makeCtx({} as Db);
  const queries: string[][] = [];
  let beforeRelease = async () => {};
  const engine = new LaneEngine<Named, Named, Pool, LaneWorker>(ctx, {
    name: 'test lanes',
    pools: [pool],
    keyOf: ({ name }) => name,
    async listDue() {
      queries.push([...due.keys()]);
      return [...due.values()];
    },
    async claim(_ecpdId, lanes) {
      for (const { name } of lanes) due.delete(name);
      return lanes;
    },
    renew: async (_ecpdId, lanes) => lanes.filter(({ name }) => !lostByUs.has(name)),
    async release(_ecpdId, lanes) {
      await beforeRelease();
      released.push(lanes.map(({ name }) => name));
    },
    work({ name }) {
      const run = { ...Promise.withResolvers<void>(), calls: [] as string[] };
      working.set(name, run);
      const end = (call: string) => {
        run.calls.push(call);
        if (name !== 'deaf') run.resolve();
      };
      const giveWay = () => void (name.startsWith('quiet') && end('gave way'));
      return {
        ...{ run: () => run.promise, lost: () => end('lost'), hurry: () => end('hurry'), giveWay },
        isDueAgain: name.startsWith('again'),
      };
    },
    isDue: async () => due.size > 0,
    askMs: 5,
    ...more,
    loops: { claims: unreportedLoop, renewals: unreportedLoop, others: [] },
  });
  const add = (ecpdId: string, ...names: string[]) => {
    for (const name of names) due.set(name, { ecpdId, name });
  };
  const until = async (is: () => boolean) => {
    while (!is()) await sleep(1);
  };
  const holdReleases = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    beforeRelease = () => promise;
    return resolve;
  };
  return { engine, add, until, working, released, lostByUs, queries, holdReleases };
}
