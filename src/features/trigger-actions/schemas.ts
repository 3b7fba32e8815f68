import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { deviceName, WireFiring } from '../firings/index.ts';
import { ACTION_KINDS, ACTION_STATES } from './action.ts';

const WireAction = Type.Object({
  accountName: Type.String(),
  kind: Type.Enum([...ACTION_KINDS]),
  params: Type.Object({}, { additionalProperties: true, description: 'What is done to the lines' }),
  state: Type.Enum([...ACTION_STATES]),
  deviceCount: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  reason: Type.Optional(Type.String({ description: 'Why nothing was done, or what failed first' })),
  requestIds: Type.Array(Type.String()),
});

export const WireFiringWithActions = Type.Object({
  ...WireFiring.properties,
  actions: Type.Array(WireAction),
});
export const WireNamedFiringWithActions = Type.Object({ ...WireFiringWithActions.properties, deviceName });
export const WireFirings = Type.Object({
  triggerId: Type.String(),
  firings: Type.Array(WireNamedFiringWithActions),
});
export const DecidedFiring = Type.Object({ firingId: Type.String(), actions: Type.Array(WireAction) });

export const FiringParams = Type.Object({ firingId: Type.String() });
export const FiringsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '100 when absent' })),
  before: Type.Optional(
    Type.String({
      pattern: UUID_PATTERN,
      description: 'The last firing of the previous page',
    }),
  ),
});
export type WireAction = Static<typeof WireAction>;
