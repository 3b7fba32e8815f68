import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { effectiveContent } from './parsing/effective.ts';
import { isAbsent } from './parsing/parse-values.ts';
import type { TriggerContent } from './price-plan-trigger.ts';
import { TRIGGER_CATEGORY, type UpdateBody, type WireTrigger, type WireVersion } from './schemas.ts';
import type { ListedTrigger } from './sql-list.ts';
import type { TriggerVersion } from './sql-version.ts';

/** Runs before validation: blank fields next to the rule and the notification count as absent, as they do inside them. */
export async function dropBlanks({ body }: Pick<FastifyRequest, 'body'>): Promise<void> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  for (const [path, value] of Object.entries(body))
    if (isAbsent({ path, value })) Reflect.deleteProperty(body, path);
}

/** The stored part of a body, if present. It has no key that an import of the fleet document would refuse. */
export function fromWireContent({
  pricePlanTrigger,
  notification,
}: Pick<UpdateBody, 'pricePlanTrigger' | 'notification'>): TriggerContent {
  const { payAsYouGo, accountGroupShare } = pricePlanTrigger ?? {};
  const rule = { ...(payAsYouGo && { payAsYouGo }), ...(accountGroupShare && { accountGroupShare }) };
  return { ...(pricePlanTrigger && { pricePlanTrigger: rule }), ...(notification && { notification }) };
}

export const toWireTrigger = (trigger: ListedTrigger): Static<typeof WireTrigger> => ({
  triggerId: trigger.triggerId,
  triggerName: trigger.triggerName,
  ecpdId: trigger.ecpdId,
  accountName: trigger.accountName ?? '',
  organizationName: trigger.organizationName ?? '',
  triggerCategory: TRIGGER_CATEGORY,
  // Clients require the list; the neighbouring fields already say what it could contain.
  triggerAttributes: [],
  ...effectiveContent(trigger.body),
  active: trigger.active,
  createdAt: trigger.createdAt.toISOString(),
  modifiedAt: trigger.updatedAt.toISOString(),
});

export const toWireVersion = (version: TriggerVersion): Static<typeof WireVersion> => ({
  version: version.version,
  triggerName: version.triggerName,
  ...effectiveContent(version.body),
  active: version.active,
  writtenAt: version.writtenAt.toISOString(),
  ...(version.writtenBy !== null && { writtenBy: version.writtenBy }),
});
