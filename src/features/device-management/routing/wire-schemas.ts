import { Type } from 'typebox';
import { wireSchema } from '../querying/schemas.ts';

const Expanded = Type.Object({}, { additionalProperties: true });

export const Evaluation = Type.Object(
  {
    active: Type.Boolean(),
    dialect: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
  },
  { description: 'Whether readings are compared with the rule, else why not' },
);

/** Every record that is answered, by its kind. */
export const wireOf = {
  device: wireSchema('device', {
    sensors: Type.Array(Expanded, { description: 'With $expand' }),
    parentdevice: Type.Union([Expanded, Type.Null()], { description: 'With $expand' }),
  }),
  gateway: wireSchema('gateway', { sensors: Type.Array(Expanded, { description: 'With $expand' }) }),
  sensor: wireSchema('sensor', {
    parentdevice: Type.Union([Expanded, Type.Null()], { description: 'With $expand' }),
  }),
  user: wireSchema('user'),
  rule: wireSchema('rule', { evaluation: Evaluation }),
};
