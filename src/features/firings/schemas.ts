import { Type } from 'typebox';
import { FIRING_CAUSES, LEVEL_KINDS } from './firing.ts';

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

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
  cause: Type.Optional(
    Type.Enum([...FIRING_CAUSES], {
      description:
        'No record reached the level: usage was moved to the plan by a change that begins in the past',
    }),
  ),
  ruleVersion: Type.Integer(),
  firedAt: Timestamp,
  late: Type.Boolean({ description: 'The cycle had closed already' }),
});

export const deviceName = Type.Optional(
  Type.String({
    description:
      'Of the line that was counted, as people call it; absent where none was, or the account has it no more',
  }),
);
