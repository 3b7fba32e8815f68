import { Type } from 'typebox';

const Maybe = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Moment = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const Text = Type.String();

const Caused = Type.Object({
  callbacks: Type.Array(
    Type.Object({ id: Text, accountName: Text, serviceName: Text, requestId: Text, at: Moment }),
  ),
  firings: Type.Array(
    Type.Object({
      firingId: Text,
      triggerId: Text,
      kind: Text,
      accountName: Text,
      subject: Text,
      at: Moment,
    }),
  ),
  mails: Type.Array(
    Type.Object({ id: Text, channel: Text, accountName: Text, subject: Maybe(Text), at: Moment }),
    { description: 'Mails and SMS; see channel' },
  ),
  jobs: Type.Array(Type.Object({ id: Text, kind: Text, state: Text, at: Moment })),
  more: Type.Boolean({ description: 'At least one of these lists is cut' }),
});

export const WireCall = Type.Object({
  id: Text,
  at: Moment,
  requestId: Type.String({ description: 'X-Request-Id of the call; everything it causes carries it' }),
  operation: Maybe(Text),
  method: Text,
  path: Type.String({ description: 'Without the base path' }),
  accountName: Maybe(Text),
  status: Maybe(Type.Integer({ description: 'null if the call got no answer' })),
  durationMs: Type.Number(),
  caller: Maybe(Type.Object({ kind: Type.Enum(['operator', 'user', 'client']), name: Text })),
  request: Type.Unknown({ description: 'The body; text if it was cut at 16 KiB' }),
  answer: Type.Unknown({ description: 'The body; text if it was cut at 16 KiB' }),
  reason: Maybe(
    Type.Object({
      code: Text,
      message: Text,
      detail: Type.Optional(Text),
      rule: Type.Optional(Type.String({ description: 'Where the refusal is documented' })),
    }),
  ),
  caused: Caused,
  injected: Maybe(
    Type.Object({}, { additionalProperties: true, description: 'The rule by which it failed on purpose' }),
  ),
  curl: Type.Optional(
    Type.String({ description: 'The call as a shell command; only when one request is read' }),
  ),
});
