import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { areActionsPaused } from '../../firings/index.ts';
import { listLimitedMonths, listSubscribedServices } from './sql-subscription.ts';
import { allowanceOf, type MeteredService, type Subscription } from './subscription.ts';

/**
 * Called when a request is accepted; one that was accepted is finished, also when that uses up the rest. A limited service
 * is closed from the use that reaches what was subscribed to until the account's month ends, or the limit does.
 */
export async function isServiceOpen(ctx: Ctx, tenant: Tenant, serviceName: MeteredService): Promise<boolean> {
  const limited = await listLimitedMonths(ctx.db, tenant, serviceName, ctx.now());
  const isUsedUp = limited.some(({ skuName, allowance, used }) => {
    const allowed = allowanceOf(skuName, allowance);
    return allowed > 0 && used >= allowed;
  });
  return !isUsedUp || (await areActionsPaused(ctx));
}

interface ServiceState extends Subscription {
  readonly serviceName: MeteredService;
  readonly allowed: number;
  /** In the calendar month of the account: what is billed to it or, while another pays for it, all that it used itself. */
  readonly used: number;
  readonly open: boolean;
}

/** What the account subscribed to, how much of it is used, and whether more of it is to be accepted. */
export async function listServiceStates(ctx: Ctx, tenant: Tenant): Promise<ServiceState[]> {
  const services = await listSubscribedServices(ctx.db, tenant, ctx.now());
  return Promise.all(
    services.map(async (service) => ({
      ...service,
      allowed: allowanceOf(service.skuName, service.allowance),
      open: await isServiceOpen(ctx, tenant, service.serviceName),
    })),
  );
}
