import type { Ctx, Tenant } from '../../platform/context.ts';
import { deleteClosure, findClosure, insertClosure } from './sql-transaction.ts';
import type { MeteredService } from './subscription.ts';

/** Asked when a request is accepted; one that was accepted is finished, also when the service closes meanwhile. */
export const isServiceOpen = async (
  { db, now }: Ctx,
  tenant: Tenant,
  serviceName: MeteredService,
): Promise<boolean> => (await findClosure(db, tenant, serviceName, now())) === undefined;

/** For the rest of the month, which is named like 2026-01 and is the account's own. */
export const closeService = ({ db, now }: Ctx, tenant: Tenant, serviceName: MeteredService, month: string) =>
  insertClosure(db, tenant, { serviceName, month, now: now() });

export const reopenService = ({ db }: Ctx, tenant: Tenant, serviceName: MeteredService, month: string) =>
  deleteClosure(db, tenant, { serviceName, month });
