import { type Static, Type } from 'typebox';
import { FaultRules } from './fault-schema.ts';

const Members = Type.Record(Type.String(), Type.Unknown());
const Name = Type.String({ pattern: '^[a-zA-Z]\\w{0,39}$' });
const closed = { additionalProperties: false } as const;

/** A sentence that is printed before the step. */
const Said = { say: Type.Optional(Type.String({ maxLength: 500 })) };
/** Under this name later values find what came of the step, as `${name.member}`. */
const Saved = { save: Type.Optional(Name) };
/** False: the simulated devices stand still while the clock is moved. */
const Life = { life: Type.Optional(Type.Boolean()) };
const CallMembers = {
  call: Type.String({ pattern: '^(GET|POST|PUT|PATCH|DELETE) /' }),
  /** Who calls: where it is not said, the operator for his own routes, and else the first user of the fleet. */
  by: Type.Optional(Type.Enum(['operator', 'user'])),
  path: Type.Optional(Members),
  query: Type.Optional(Members),
  body: Type.Optional(Type.Unknown()),
  /** A call that is made again with the same key is done once. */
  idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
};

/** Said of a call that gets no answer at all. */
export const UNANSWERED = 'none';

/** Rows that one of these finds; `where` leaves those that have all it names, and `count` is how many there must be. */
export const SOURCES = ['firings', 'callbacks', 'mail', 'sms', 'requests', 'devices'] as const;
export const ExpectedRows = Type.Object(
  {
    that: Type.String({ minLength: 1, maxLength: 500 }),
    ...Object.fromEntries(SOURCES.map((source) => [source, Type.Optional(Members)])),
    heard: Type.Optional(Type.Object({}, closed)),
    answer: Type.Optional(Type.Object({ ...CallMembers, rows: Type.Optional(Type.String()) }, closed)),
    saved: Type.Optional(Name),
    where: Type.Optional(Members),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    ...Saved,
  },
  closed,
);

/** The kinds of steps, each by the member that tells it: a further kind is a further line. */
export const STEPS = {
  call: Type.Object(
    {
      ...Said,
      ...CallMembers,
      status: Type.Optional(
        Type.Union([Type.Integer({ minimum: 200, maximum: 599 }), Type.Literal(UNANSWERED)]),
      ),
      ...Saved,
    },
    closed,
  ),
  feed: Type.Object(
    {
      ...Said,
      feed: Type.Enum(['usage', 'positions', 'readings']),
      records: Type.Array(Members, { minItems: 1, maxItems: 1_000 }),
      ...Saved,
    },
    closed,
  ),
  clock: Type.Object(
    {
      ...Said,
      clock: Type.Union([
        Type.Object({ advance: Type.String(), ...Life }, closed),
        Type.Object({ set: Type.String(), ...Life }, closed),
        Type.Object({ freeze: Type.Boolean() }, closed),
      ]),
      ...Saved,
    },
    closed,
  ),
  /** In the place of all rules before: an empty list has no call fail on purpose any more. */
  faults: Type.Object({ ...Said, faults: FaultRules }, closed),
  listener: Type.Object({ ...Said, listener: Type.Integer({ minimum: 200, maximum: 599 }) }, closed),
  expect: Type.Object({ ...Said, expect: Type.Array(ExpectedRows, { minItems: 1, maxItems: 100 }) }, closed),
  say: Type.Object({ say: Type.String({ maxLength: 500 }) }, closed),
} as const;
export type StepKind = keyof typeof STEPS;
export type StepOf<Kind extends StepKind> = Static<(typeof STEPS)[Kind]>;
export type Step = { [Kind in StepKind]: StepOf<Kind> }[StepKind];
export type Expectation = Static<typeof ExpectedRows> &
  Partial<Record<(typeof SOURCES)[number], Readonly<Record<string, unknown>>>>;

/** By its own member; every step may say something. */
export const kindOf = (step: object): StepKind | undefined =>
  (Object.keys(STEPS) as StepKind[]).find((kind) => Object.hasOwn(step, kind));

const scenarioWith = <const S extends Parameters<typeof Type.Array>[0]>(step: S) =>
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 100 }),
      summary: Type.String({ minLength: 1, maxLength: 500 }),
      /** A fleet document: its accounts are deleted first, so that every run begins alike. */
      fleet: Type.Object({}, { additionalProperties: true }),
      steps: Type.Array(step, { minItems: 1, maxItems: 500 }),
      /** Commands that show what has happened. */
      lookAt: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    },
    closed,
  );

/** Of the file without its steps, which are checked one by one: what is wrong with one is told of its kind. */
export const ScenarioFrame = scenarioWith(Type.Object({}, { additionalProperties: true }));
/** For editors: the whole file. */
export const ScenarioSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A scenario for linekeeper scenario run',
  ...scenarioWith(Type.Union(Object.values(STEPS))),
};

export interface Scenario extends Omit<Static<typeof ScenarioFrame>, 'steps' | 'fleet'> {
  readonly fleet: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
