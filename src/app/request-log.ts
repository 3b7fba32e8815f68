import { createCallQueue, findNewestCall, openRecordings } from '../features/request-log/index.ts';
import { realClock } from '../platform/clock/clock.ts';
import type { Ctx } from '../platform/context/context.ts';
import { findRule } from './fault-catalogue.ts';
import type { Surroundings } from './surroundings.ts';

export type RequestLog = NonNullable<Awaited<ReturnType<typeof openRequestLog>>>;

/** Undefined if calls are never logged. A sandbox logs all; production logs those of an account on request. */
export async function openRequestLog(ctx: Ctx, { settings, feed, health }: Surroundings) {
  if (settings.requestLog === 0 || settings.role === 'worker') return undefined;
  const { sandbox, basePath, requestLog: kept } = settings;
  const loop = health.loop('requests.record', { vital: false, occasional: true });
  const queue = createCallQueue(ctx, {
    kept,
    areRecorded: !sandbox,
    loop,
    findNewest: async (db) => (await findNewestCall(db))?.id,
    realNow: realClock.now,
  });
  const recordings = sandbox ? undefined : await openRecordings(ctx, feed, realClock.now);
  return { queue, recordings, basePath, findRule };
}
