import { type Static, Type } from 'typebox';
import { FIRING_CAUSES, LEVEL_KINDS } from '../firings/index.ts';
import { pricePlanTriggerSchemas } from '../price-plan-triggers/index.ts';

const { CreateBody } = pricePlanTriggerSchemas;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** A trigger as for creating it; what only matters to one that exists may be absent. */
export const BacktestBody = Type.Object({
  ...CreateBody.properties,
  triggerName: Type.Optional(CreateBody.properties.triggerName),
  notification: Type.Optional(CreateBody.properties.notification),
  period: Type.Object(
    { from: Day, to: Day },
    { description: 'Days on which usage occurred, where the account is; both included, at most 92' },
  ),
});
export type BacktestBody = Static<typeof BacktestBody>;

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const PastAction = Type.Object({
  type: Type.Enum(['notify', 'suspend', 'changePlan']),
  suspendDuration: Type.Optional(Type.String()),
  suspendOption: Type.Optional(Type.String()),
  fromAccounts: Type.Optional(
    Type.Array(Type.String(), {
      description: 'All lines of these accounts on the plan; absent: the line that fired',
    }),
  ),
  toCarrierServicePlanCode: Type.Optional(Type.String()),
  moves: Type.Optional(
    Type.Array(Type.Object({ fromCarrierCode: Type.String(), toCarrierCode: Type.String() }), {
      description: 'Of lines in the pool, until its buffer is restored',
    }),
  ),
});

export const WireBacktest = Type.Object({
  firings: Type.Array(
    Type.Object({
      subject: Type.String({ description: 'What was counted: a device, an account or a pool' }),
      deviceIds: Type.Optional(Type.Array(Type.Object({ id: Type.String(), kind: Type.String() }))),
      accountName: Type.String(),
      level: Type.Number(),
      levelKind: Type.Enum([...LEVEL_KINDS]),
      cycle: Type.Object({ from: Timestamp, to: Timestamp }),
      at: Timestamp,
      before: Type.Number(),
      after: Type.Number(),
      threshold: Type.Number({ description: 'In the unit of the counter' }),
      usageRecordId: TextOrNull,
      cause: Type.Optional(Type.Enum([...FIRING_CAUSES], { description: 'Usage was moved to the plan' })),
      late: Type.Boolean({ description: 'The cycle had closed already: it would have been told only' }),
      action: PastAction,
    }),
    { description: 'Earliest first' },
  ),
  truncated: Type.Boolean({ description: 'There are more, or there was no time to look at everything' }),
});
export type WireBacktest = Static<typeof WireBacktest>;
