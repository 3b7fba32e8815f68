import { defineJob } from '../../platform/jobs/job.ts';
import type { LineNetwork } from '../network/index.ts';
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
