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
    { description: 'SMS too; channel says which' },
  ),
  jobs: Type.Array(Type.Object({ id: Text, kind: Text, state: Text, at: Moment })),
  more: Type.Boolean({ description: 'Some of these lists have only their beginning' }),
});

export const WireCall = Type.Object({
  id: Text,
  at: Moment,
  requestId: Type.String({ description: 'X-Request-Id of the call: what it causes carries it' }),
  operation: Maybe(Text),
  method: Text,
  path: Type.String({ description: 'Without the base path' }),
  accountName: Maybe(Text),
  status: Maybe(Type.Integer({ description: 'null where nothing was answered' })),
  durationMs: Type.Number(),
  caller: Maybe(Type.Object({ kind: Type.Enum(['operator', 'user', 'client']), name: Text })),
  request: Type.Unknown({ description: 'The body, as text where it was cut at 16 KiB' }),
  answer: Type.Unknown({ description: 'The body, as text where it was cut at 16 KiB' }),
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
    Type.Object({}, { additionalProperties: true, description: 'The rule that failed it on purpose' }),
  ),
  curl: Type.Optional(Type.String({ description: 'The call once more, for a shell; of one request only' })),
});
