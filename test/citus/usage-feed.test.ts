import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { composeCarrier } from '../../src/app/compose/compose-carrier.ts';
import { applyFirings, cyclesOf, evaluateUsage } from '../../src/features/trigger-evaluation/index.ts';
import {
  A,
  KB,
  LINES,
  makeNotifyingScene,
  over,
} from '../../src/features/trigger-notifications/test/scene.ts';
import type { UsageEvaluator } from '../../src/features/usage/index.ts';
import { takeUsage } from '../../src/features/usage/index.ts';
import { RepeatingFeeds } from '../../src/features/usage/sql-insert-records.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { concurrencyLimit } from '../../src/platform/flow-control/limits.ts';
import { isOnCluster } from '../support/citus.ts';
import { nobodyEvaluates } from '../support/nobody-evaluates.ts';
import { openTellingConnection } from '../support/telling-connection.ts';

const { world, trigger, listen, alerts } = await makeNotifyingScene();
const { ctx } = world;
const { db, staysOnOneWorker, open, close } = openTellingConnection(world.databaseUrl, ctx.db);

const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);
const apply = applyFirings({ workJob, devicesMax: 1 });
const evaluator: UsageEvaluator = {
  ...nobodyEvaluates,
  cyclesOf,
  evaluate: async (...usage) => void (await evaluateUsage(...usage, apply)),
};

let fed = 0;
/** A batch of one profile, with lines in two of its accounts. */
const feed = (kb: number) =>
  takeUsage(
    { ...ctx, db },
    (async function* () {
      for (const device of [LINES.a1, LINES.a2, LINES.b1]) {
        const record = { id: `u${++fed}`, kind: 'imei', device, at: ctx.now().toISOString(), bytes: kb * KB };
        yield Buffer.from(`${JSON.stringify(record)}\n`);
      }
    })(),
    {
      keptDays: 400,
      evaluator,
      share: { limit: concurrencyLimit(1), aheadMs: 0, countGivenUp() {} },
      repeating: new RepeatingFeeds(),
      watch: { records: () => {}, batchSeconds: () => {} },
    },
  );

const skip = !isOnCluster() && 'only a cluster has workers';

describe('a batch of usage of one profile stays on its worker, from looking it up to what follows', {
  skip,
}, () => {
  before(open);
  after(close);
  const countFirings = async () =>
    (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from firing`)).n;

  it('where nobody evaluates it', async () => {
    assert.equal((await staysOnOneWorker(() => feed(1))).accepted, 3);
  });

  it('where it is evaluated, and fires nothing', async () => {
    await trigger(over(10));
    assert.equal((await staysOnOneWorker(() => feed(1))).accepted, 3);
    assert.equal(await countFirings(), 0);
  });

  it('where it fires, and tells by callback, mail and SMS', async () => {
    await listen(A, 'AlertService');
    assert.equal((await staysOnOneWorker(() => feed(10))).accepted, 3);
    assert.equal(await countFirings(), 2);
    assert.equal((await alerts()).length, 2);
  });
});
