import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { listLimitedMonths, listSubscribedServices } from './sql-subscription.ts';
import { allowanceOf, type MeteredService, type Subscription } from './subscription.ts';

/**
 * Called when a request is accepted, and again before each batch of uses that an accepted request makes later. A batch is
 * finished even if it uses up the rest. A limited service closes with the use that reaches the subscribed number, until the
 * account's month or the limit ends. It is no trigger action: a pause of these leaves it closed.
 */
export async function isServiceOpen(ctx: Ctx, tenant: Tenant, serviceName: MeteredService): Promise<boolean> {
  const limited = await listLimitedMonths(ctx.db, tenant, serviceName, ctx.now());
  return !limited.some(({ skuName, allowance, used }) => {
    const allowed = allowanceOf(skuName, allowance);
    return allowed > 0 && used >= allowed;
  });
}

interface ServiceState extends Subscription {
  readonly serviceName: MeteredService;
  readonly allowed: number;
  /** In the account's calendar month: uses billed to it or, while another account pays, all its own uses. */
  readonly used: number;
  readonly open: boolean;
}

/** What the account subscribed to, how much of it is used, and whether further requests are accepted. */
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
