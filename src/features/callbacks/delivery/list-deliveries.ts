import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type Delivery, type DeliveryFilter, listDeliveries as readDeliveries } from '../sql-log.ts';
import type { WithholdPayloads } from './withhold-payloads.ts';

/** The log shows what could be sent now: a position whose consent was withdrawn is not read here either. */
export async function listDeliveries(
  ctx: Ctx,
  filter: DeliveryFilter,
  withhold: WithholdPayloads,
): Promise<Delivery[]> {
  const deliveries = await readDeliveries(ctx.db, filter);
  const resting = deliveries.flatMap(({ ecpdId, accountName, id, payload, restsOn }) =>
    restsOn === null
      ? []
      : [
          {
            tenant: { ecpdId, accountName } as Tenant,
            messageId: id,
            payload: JSON.stringify(payload),
            restsOn,
          },
        ],
  );
  const instead = new Map<string, string>();
  for (const [, messages] of Map.groupBy(resting, ({ tenant }) => `${tenant.ecpdId} ${tenant.accountName}`)) {
    for (const [id, payload] of await withhold(ctx, messages[0]!.tenant, messages)) instead.set(id, payload);
  }
  return deliveries.map((delivery) => {
    const payload = instead.get(delivery.id);
    if (payload === undefined) return delivery;
    // A listener may have sent back what it was sent.
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, body: '' }));
    return { ...delivery, payload: JSON.parse(payload), attempts };
  });
}
