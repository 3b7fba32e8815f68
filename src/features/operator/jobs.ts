import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import type { LineNetwork } from '../network/index.ts';
import { finishDeletions } from './customers/delete-account.ts';
import { DELETE_CUSTOMER, deleteCustomer } from './customers/delete-customer.ts';

/** Acts in the name of the operator who requested the deletion. */
export const deleteCustomers = (network: LineNetwork | undefined) =>
  defineJob({
    ...DELETE_CUSTOMER,
    commits: 'steps',
    async run(ctx, { by }, { ecpdId, signal }) {
      await deleteCustomer({ ...ctx, actor: { kind: 'operator', name: by } }, ecpdId, network, signal);
      return undefined;
    },
  });

const HOUR_MS = 3_600_000;

export const finishAccountDeletions = (network: LineNetwork | undefined) =>
  defineJob({
    kind: 'operator.finish-deletions',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    isPurge: true,
    async run(ctx, _payload, { signal }) {
      await finishDeletions(ctx, network, signal);
      return undefined;
    },
  });
