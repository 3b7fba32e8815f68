import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** A failure rule, with the members of `PUT /operator/v1/faults`. */
const FaultRule = Type.Object(
  {
    match: Type.Optional(
      Type.Object(
        {
          operation: Type.Optional(Type.String({ maxLength: 128 })),
          path: Type.Optional(Type.String({ maxLength: 512 })),
          accountName: Type.Optional(Type.String({ maxLength: 32 })),
          probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        },
        closed,
      ),
    ),
    after: Type.Optional(Count),
    times: Type.Optional(Count),
    then: Type.Object(
      {
        status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
        body: Type.Optional(Type.Unknown()),
        delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
        drop: Type.Optional(Type.Enum(['before', 'after'])),
        expireToken: Type.Optional(Type.Boolean()),
      },
      { ...closed, minProperties: 1 },
    ),
  },
  closed,
);

export const FaultRules = Type.Array(FaultRule, { maxItems: 100 });

/** The service's further checks of a rule with the right shape. */
export function problemOfRule({ then }: Static<typeof FaultRule>): string | undefined {
  const { status, body, drop, expireToken } = then;
  if (body !== undefined && status === undefined) return 'has a body, which needs a status';
  const ends = [status !== undefined, drop !== undefined, expireToken === true].filter(Boolean).length;
  return ends > 1 ? 'must have one of status, drop and expireToken' : undefined;
}
