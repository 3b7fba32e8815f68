import { Type } from 'typebox';

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const DELAY_MAX_MS = 60_000;

export const Match = Type.Object({
  operation: Type.Optional(Type.String({ maxLength: 128, description: 'Its operation id' })),
  path: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'Without base path and query; a * at the end matches any continuation',
    }),
  ),
  accountName: Type.Optional(Type.String({ maxLength: 32 })),
  probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

export const Then = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  body: Type.Optional(Type.Unknown({ description: "If absent, the area's own error for the status" })),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MAX_MS })),
  drop: Type.Optional(
    Type.Enum(['before', 'after'], {
      description: 'Cut the connection before or after the call is processed',
    }),
  ),
  expireToken: Type.Optional(Type.Boolean()),
});

export const Rule = Type.Object({
  match: Type.Optional(Match),
  after: Type.Optional(Type.Integer({ ...Count, description: 'This many matching calls pass first' })),
  times: Type.Optional(
    Type.Integer({ ...Count, description: 'The rule applies to at most this many calls; if absent, to all' }),
  ),
  then: Then,
});

export const WireRule = Type.Object({
  ...Rule.properties,
  matched: Type.Integer({ description: 'Calls the rule matched' }),
  used: Type.Integer({ description: 'Matched calls the rule was applied to' }),
});
