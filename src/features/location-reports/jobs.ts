import { Type } from 'typebox';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, NO_PROFILE, tenantOf } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { consentsGiven } from '../consents/index.ts';
import {
  enqueueRelocations,
  type Relocate,
  recheckConsents,
  relocateConsented,
} from './enqueue-relocations.ts';
import { KEPT_MS, keptSince } from './location-request.ts';
import { relocateDevices } from './relocate-devices.ts';
import { RelocatePayload, WorkPayload } from './schemas.ts';
import { listLongAbsent } from './sql-awaited.ts';
import { deleteExpired, startRequest } from './sql-request.ts';
import { giveUpRequest, type Working, workChunk } from './work-request.ts';

const HOUR_MS = 3_600_000;
/** After this many chunks other requests get their share, so a long report does not delay a short one. */
const CHUNKS_PER_RUN = 4;
const ABSENT_PER_RUN = 5_000;
const EXPIRED_PER_BATCH = 20;

export const workJob = (working: Working) =>
  defineJob({
    kind: 'location-reports.work',
    schema: WorkPayload,
    attemptsMax: 8,
    commits: 'steps',
    waitsOutside: true,
    async run(ctx, { accountName, txid }, { ecpdId, signal }) {
      const tenant = tenantOf(ecpdId, accountName);
      const request = await startRequest(ctx.db, tenant, txid);
      if (request === undefined) return undefined;
      for (let n = 0; n < CHUNKS_PER_RUN; n++)
        if (await workChunk(ctx, tenant, request, working, signal)) return undefined;
      return { againAt: ctx.now() };
    },
    onGivenUp: (ctx, { accountName, txid }, { ecpdId }) =>
      giveUpRequest(ctx, tenantOf(ecpdId, accountName), txid, working.notify),
  });

export const relocateJob = (working: Working) =>
  defineJob({
    kind: 'location-reports.relocate',
    schema: RelocatePayload,
    attemptsMax: 3,
    commits: 'steps',
    waitsOutside: true,
    async run(ctx, { accountName, deviceIds }, { ecpdId, signal }) {
      await relocateDevices(ctx, tenantOf(ecpdId, accountName), deviceIds, working, signal);
      return undefined;
    },
  });

/** Locates devices that were skipped for lack of consent and now have it. */
export const applyConsents = (relocate: Relocate, pageSize?: number) =>
  defineJob({
    ...consentsGiven,
    commits: 'transaction',
    async run(ctx, { accountName, after }, { ecpdId }) {
      await relocateConsented(ctx, tenantOf(ecpdId, accountName), after, relocate, pageSize);
      return undefined;
    },
  });

/**
 * For networks that do not report when a device becomes reachable. Unreachable devices are located again every hour; devices
 * that were reached but not located, at growing intervals. Missing consents are checked again every hour too.
 */
export const retryAbsent = (relocate: Relocate, recheck: ReturnType<typeof recheckJob>) =>
  defineJob({
    kind: 'location-reports.ask-for-absent',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run(ctx) {
      const now = ctx.now();
      const absent = await listLongAbsent(ctx.db, {
        now,
        endedAfter: keptSince(now),
        limit: ABSENT_PER_RUN,
      });
      for (const { deviceIds, ...tenant } of absent)
        await enqueueRelocations(ctx, tenant, deviceIds, relocate);
      await enqueueJobs(ctx, recheck, NO_PROFILE, [{ payload: {} }]);
      return undefined;
    },
  });

/** Checks missing consents again, a page of accounts in each run. */
export const recheckJob = (pageSize?: number) => {
  const job = defineJob({
    kind: 'location-reports.recheck-consents',
    schema: Type.Object({
      after: Type.Optional(Type.Object({ ecpdId: Type.String(), accountName: Type.String() })),
    }),
    attemptsMax: 5,
    commits: 'steps',
    async run(ctx, { after }) {
      const last = await recheckConsents(ctx, after && tenantOf(after.ecpdId, after.accountName), pageSize);
      if (last !== undefined) await enqueueJobs(ctx, job, NO_PROFILE, [{ payload: { after: { ...last } } }]);
      return undefined;
    },
  });
  return job;
};

export const purgeReports = definePurge({
  kind: 'location-reports.purge',
  batch: EXPIRED_PER_BATCH,
  retentions: [{ keptMs: KEPT_MS, deleteBefore: deleteExpired }],
});
