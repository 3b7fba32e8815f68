import type { Ctx, Tenant } from '../../../../platform/context/context.ts';
import { refuse } from '../../../../platform/context/fault.ts';
import {
  type Delivery,
  EVENTS,
  eventsOf,
  LISTENER_SERVICES,
  listDeliveries,
  listListenerHealth,
  type WithholdPayloads,
} from '../../../callbacks/index.ts';
import { consoleFaults } from '../../errors.ts';

const SERVICES = LISTENER_SERVICES.map((serviceName) => ({
  serviceName,
  events: eventsOf(serviceName).map((name) => ({ name, summary: EVENTS[name].summary })),
}));

export const readListeners = async (ctx: Ctx, tenant: Tenant) => ({
  listeners: await listListenerHealth(ctx.db, tenant),
  services: SERVICES,
});

/** What came of the last attempt: an answer's status, or why there was none. */
function lastOutcome({ attempts }: Delivery): string | null {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return last.status === null ? (last.error ?? 'no answer') : String(last.status);
}

export interface AskedDeliveries {
  readonly requestId?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly state?: Delivery['state'] | undefined;
  readonly before: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/** A page of the log, without bodies. */
export async function listLog(ctx: Ctx, tenant: Tenant, asked: AskedDeliveries, withhold: WithholdPayloads) {
  const deliveries = await listDeliveries(ctx, { ...asked, tenant }, withhold);
  const last = deliveries.at(-1);
  return {
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      attempts: delivery.attempts.length,
      lastOutcome: lastOutcome(delivery),
    })),
    ...(deliveries.length === asked.limit && last && { next: `${last.createdAt.toISOString()} ${last.id}` }),
  };
}

/** One callback with its body, every attempt and what was answered. */
export async function readDelivery(ctx: Ctx, tenant: Tenant, messageId: string, withhold: WithholdPayloads) {
  const [delivery] = await listDeliveries(ctx, { tenant, messageId, limit: 1 }, withhold);
  return delivery ?? refuse(consoleFaults.noDelivery);
}
