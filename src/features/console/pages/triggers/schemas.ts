import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../../kernel/uuid.ts';
import { pricePlanTriggerSchemas } from '../../../price-plan-triggers/index.ts';
import { WireFiringWithActions } from '../../../trigger-actions/index.ts';
import { BacktestBody } from '../../../trigger-evaluation/index.ts';
import { METERED_SERVICES } from '../../../usage/index.ts';
import { usageTriggerSchemas } from '../../../usage-triggers/index.ts';
import { PageQuery, ViewedAccount } from '../../schemas.ts';

const accountName = Type.String({ maxLength: 32 });
export const TriggerParams = Type.Object({ accountName, triggerId: Type.String({ pattern: UUID_PATTERN }) });
export const FiringParams = Type.Object({ accountName, firingId: Type.String({ pattern: UUID_PATTERN }) });

const next = Type.Optional(Type.String());

/** The profile is that of the account in the path. */
const { ecpdId: _, ...content } = pricePlanTriggerSchemas.CreateBody.properties;
export const PricePlanBody = Type.Object(content);
/** What is absent stays as it is. */
export const PricePlanChange = Type.Partial(PricePlanBody);
const { ecpdId: __, ...tested } = BacktestBody.properties;
export const ConsoleBacktestBody = Type.Object(tested);

export const WirePricePlanTriggers = Type.Object({
  triggers: pricePlanTriggerSchemas.WireTriggers.properties.triggers,
  next,
});

/** The account is that in the path. */
const { accountName: ___, ...terms } = usageTriggerSchemas.CreateBody.properties;
export const UsageBody = Type.Object(terms);
export const UsageChange = Type.Partial(UsageBody);
export const WireUsageTriggers = Type.Object({ triggers: Type.Array(usageTriggerSchemas.WireDatedTrigger) });

export const FiringQuery = Type.Object({
  page: Type.Optional(Type.String({ pattern: UUID_PATTERN, description: 'next of the answer before' })),
  limit: PageQuery.properties.limit,
});
export const WireFiringPage = Type.Object({ firings: Type.Array(WireFiringWithActions), next });

export const WireOptions = Type.Object({
  accounts: Type.Array(ViewedAccount, { description: 'Of the profile, those that the viewer has' }),
  plans: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), kind: Type.String() })),
  groups: Type.Array(Type.Object({ id: Type.Number(), planCodes: Type.Array(Type.String()) }), {
    description: 'Rate plan groups that the account shares in',
  }),
  notificationGroups: Type.Array(Type.String()),
  services: Type.Array(Type.Enum([...METERED_SERVICES])),
});
