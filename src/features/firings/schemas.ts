import { Type } from 'typebox';
import { FIRING_CAUSES, LEVEL_KINDS } from './firing.ts';

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const recordSource = Type.Optional(
  Type.String({ description: 'Where the record came from; absent if its feed named no source' }),
);

export const WireFiring = Type.Object({
  firingId: Type.String(),
  triggerId: Type.String(),
  kind: Type.Enum(['usage', 'pricePlan']),
  accountName: Type.String(),
  subject: Type.String({ description: 'What was counted' }),
  level: Type.Number(),
  levelKind: Type.Enum([...LEVEL_KINDS]),
  cycle: Type.Object({ from: Timestamp, to: Timestamp }),
  before: Type.Number({ description: 'The counter before the record that crossed the threshold' }),
  after: Type.Number({ description: 'The counter after it' }),
  threshold: Type.Number({ description: 'In the unit of the counter' }),
  usageRecordId: TextOrNull,
  usageRecordSource: recordSource,
  cause: Type.Optional(
    Type.Enum([...FIRING_CAUSES], {
      description: 'The level was not reached by a record: a backdated change moved usage to the plan',
    }),
  ),
  ruleVersion: Type.Integer(),
  firedAt: Timestamp,
  late: Type.Boolean({ description: 'The cycle had closed already' }),
});

export const deviceName = Type.Optional(
  Type.String({
    description: 'Name of the counted line; absent if no line was counted or it has left the account',
  }),
);
