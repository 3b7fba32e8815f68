import { type Static, Type } from 'typebox';
import { CYCLES } from '../../kernel/bill-cycle.ts';
import { deviceName, FIRING_CAUSES, LEVEL_KINDS, recordSource } from '../firings/index.ts';
import { pricePlanTriggerSchemas } from '../price-plan-triggers/index.ts';

const { CreateBody } = pricePlanTriggerSchemas;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** The body that creates a trigger; fields that matter only to an existing trigger are optional. */
export const BacktestBody = Type.Object({
  ...CreateBody.properties,
  triggerName: Type.Optional(CreateBody.properties.triggerName),
  notification: Type.Optional(CreateBody.properties.notification),
  period: Type.Object(
    { from: Day, to: Day },
    { description: "Days on which usage occurred, in the account's zone; both included, at most 92" },
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
      description: 'Moves of lines in the pool until its buffer is restored',
    }),
  ),
});

export const WireBacktest = Type.Object({
  firings: Type.Array(
    Type.Object({
      subject: Type.String({ description: 'What was counted: a device, an account or a pool' }),
      deviceIds: Type.Optional(Type.Array(Type.Object({ id: Type.String(), kind: Type.String() }))),
      deviceName,
      accountName: Type.String(),
      level: Type.Number(),
      levelKind: Type.Enum([...LEVEL_KINDS]),
      cycle: Type.Object({ from: Timestamp, to: Timestamp }),
      at: Timestamp,
      before: Type.Number(),
      after: Type.Number(),
      threshold: Type.Number({ description: 'In the unit of the counter' }),
      usageRecordId: TextOrNull,
      usageRecordSource: recordSource,
      cause: Type.Optional(Type.Enum([...FIRING_CAUSES], { description: 'Usage was moved to the plan' })),
      late: Type.Boolean({ description: 'The cycle had closed already: you would only have been notified' }),
      action: PastAction,
    }),
    { description: 'Earliest first' },
  ),
  truncated: Type.Boolean({ description: 'There are more, or the time limit was reached' }),
});
export type WireBacktest = Static<typeof WireBacktest>;

export const PastUseBody = Type.Object({
  ...BacktestBody.properties,
  of: Type.Optional(
    Type.Object(
      { subject: Type.String({ maxLength: 128 }), accountName: Type.String({ maxLength: 32 }) },
      { description: 'As in a firing; absent: the counter closest to a level' },
    ),
  ),
});
export type PastUseBody = Static<typeof PastUseBody>;

export const WirePastUse = Type.Object({
  use: Type.Optional(
    Type.Object(
      {
        subject: Type.String({ description: 'What was counted: a device, an account or a pool' }),
        scope: Type.Enum(['device', 'account', 'sum']),
        accountName: Type.String(),
        deviceName,
        planCode: Type.Optional(Type.String({ description: 'For a line: the plan on which it was counted' })),
        cycle: Type.Enum([...CYCLES]),
        levels: Type.Array(
          Type.Object({
            levelKind: Type.Enum([...LEVEL_KINDS]),
            level: Type.Number(),
            thresholdBytes: Type.Number({ description: 'For a pool: with its present lines' }),
            below: Type.Boolean({
              description: 'Reached if the counter stays below it until the cycle ends',
            }),
          }),
        ),
        days: Type.Array(
          Type.Object({
            day: Type.String(),
            bytes: Type.Number({ description: 'Used on the day' }),
            countedBytes: Type.Number({
              description: 'Used from the beginning of the cycle to the end of the day',
            }),
          }),
          { description: 'Every day of the period' },
        ),
      },
      { description: 'Absent without usage, and for rules that count no usage' },
    ),
  ),
});
export type WirePastUse = Static<typeof WirePastUse>;
