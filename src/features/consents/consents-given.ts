import { Type } from 'typebox';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';

const Given = Type.Object({
  accountName: Type.String(),
  /** Where whoever works it goes on. */
  after: Type.Optional(Type.String({ minLength: 36, maxLength: 36 })),
});

/** A job without its work: that is a matter of who waits for consents. */
export const consentsGiven = { kind: 'consents.given', schema: Given, attemptsMax: 20 } as const;

/**
 * Call it in the transaction of a change after which devices may be located that could not be before. An import tells
 * nobody: who waits looks by itself every hour.
 */
export const tellConsentsGiven = (ctx: Ctx, { ecpdId, accountName }: Tenant) =>
  enqueueJobs(ctx, consentsGiven, ecpdId, [{ payload: { accountName } }]);
