import { Logger, makeWorkerUtils, run as runWorker, type WorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { run } from '../bench-postgres.ts';
import { ATTEMPT_TABLE, createAttemptBatcher } from './attempt-rows.ts';
import { type Contender, type QueuedMessage, type Sending, sendMessage } from './contender.ts';

const TASK = 'callback';
const CONCURRENCY = 256;
const TUNED = {
  concurrentJobs: CONCURRENCY,
  localQueue: { size: 1_000 },
  completeJobBatchDelay: 10,
  failJobBatchDelay: 10,
};
const silent = new Logger(() => () => {});

export async function graphileWorker(
  databaseUrl: string,
  sending: Sending,
  makeMessages: (count: number) => QueuedMessage[],
): Promise<Contender> {
  await run(databaseUrl, ATTEMPT_TABLE);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const utils: WorkerUtils = await makeWorkerUtils({ pgPool: pool, logger: silent });
  await utils.migrate();
  const record = createAttemptBatcher(pool);

  return {
    name: 'graphile-worker',
    databaseUrl,
    async post(count) {
      await utils.addJobs(makeMessages(count).map((message) => ({ identifier: TASK, payload: message })));
    },
    async deliver(count) {
      let left = count;
      const finished = Promise.withResolvers<void>();
      const runner = await runWorker({
        pgPool: pool,
        logger: silent,
        noHandleSignals: true,
        preset: { worker: TUNED },
        taskList: {
          [TASK]: async (payload) => {
            await record(await sendMessage(sending, payload as QueuedMessage));
            if (--left === 0) finished.resolve();
          },
        },
      });
      const startedAt = performance.now();
      await finished.promise;
      // A job is done when its row is deleted: stopping waits for the last batch of completions.
      await runner.stop();
      return (performance.now() - startedAt) / 1_000;
    },
    async stop() {
      await utils.release();
      await pool.end();
    },
  };
}
