import { type Static, Type } from 'typebox';
import { FaultRules } from './fault-schema.ts';

const Members = Type.Record(Type.String(), Type.Unknown());
const Name = Type.String({ pattern: '^[a-zA-Z]\\w{0,39}$' });
const closed = { additionalProperties: false } as const;

/** A sentence that is printed before the step. */
const Said = { say: Type.Optional(Type.String({ maxLength: 500 })) };
/** The name for the step's result, which later values use as `${name.member}`. */
const Saved = { save: Type.Optional(Name) };
/** False: simulated devices do nothing during the move. */
const Life = { life: Type.Optional(Type.Boolean()) };
const CallMembers = {
  call: Type.String({ pattern: '^(GET|POST|PUT|PATCH|DELETE) /' }),
  /** The caller; default: the operator for operator routes, otherwise the first user of the fleet. */
  by: Type.Optional(Type.Enum(['operator', 'user'])),
  path: Type.Optional(Members),
  query: Type.Optional(Members),
  body: Type.Optional(Type.Unknown()),
  /** Repeating a call with the same key has no effect. */
  idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
};

/** Stands for a call without any answer. */
export const UNANSWERED = 'none';

/** Rows from one of these sources; `where` filters them, and `count` is the expected number. */
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

/** The kinds of steps by their identifying member; a new kind is a new line. */
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
  /** Replaces all earlier rules; an empty list ends all injected failures. */
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

/** A step by its own member; every step may have `say`. */
export const kindOf = (step: object): StepKind | undefined =>
  (Object.keys(STEPS) as StepKind[]).find((kind) => Object.hasOwn(step, kind));

const scenarioWith = <const S extends Parameters<typeof Type.Array>[0]>(step: S) =>
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 100 }),
      summary: Type.String({ minLength: 1, maxLength: 500 }),
      /** A fleet document. Its accounts are deleted first, so that every run starts alike. */
      fleet: Type.Object({}, { additionalProperties: true }),
      steps: Type.Array(step, { minItems: 1, maxItems: 500 }),
      /** Commands that show what has happened. */
      lookAt: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    },
    closed,
  );

/** The file without its steps, which are checked one by one, so that errors refer to the kind of step. */
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
