import type { Ctx, Tenant } from '../../platform/context/context.ts';

/**
 * What goes with devices that are deleted and belongs to later features, which write it down here; `app` hands it to those who
 * delete devices. Called in their transaction, which has locked them.
 */
export type BeforeDeletion = (tx: Ctx, tenant: Tenant, deviceIds: readonly string[]) => Promise<unknown>;
