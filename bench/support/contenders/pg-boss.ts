import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { run } from '../bench-postgres.ts';
import { ATTEMPT_TABLE, writeAttempts } from './attempt-rows.ts';
import { type Contender, type QueuedMessage, type Sending, sendMessage } from './contender.ts';

const QUEUE = 'callback';
const TUNED = {
  batchSize: 500,
  localConcurrency: 4,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
};

export async function pgBoss(
  databaseUrl: string,
  sending: Sending,
  makeMessages: (count: number) => QueuedMessage[],
): Promise<Contender> {
  await run(databaseUrl, ATTEMPT_TABLE);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  // Its maintenance would run in the middle of a round.
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);

  return {
    name: 'pg-boss',
    databaseUrl,
    async post(count) {
      const jobs = makeMessages(count).map((message) => ({ id: message.messageId, data: message }));
      await boss.insert(QUEUE, jobs);
    },
    async deliver(count) {
      let left = count;
      const finished = Promise.withResolvers<void>();
      const startedAt = performance.now();
      await boss.work<QueuedMessage>(QUEUE, TUNED, async (jobs) => {
        await writeAttempts(pool, await Promise.all(jobs.map(({ data }) => sendMessage(sending, data))));
        left -= jobs.length;
        if (left === 0) finished.resolve();
      });
      await finished.promise;
      // Waits until the last batch is marked complete.
      await boss.offWork(QUEUE, { wait: true });
      return (performance.now() - startedAt) / 1_000;
    },
    async stop() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
