/** What is known of a device: the newest value of each field. */
export type Values = Readonly<Record<string, unknown>>;

export interface Facts {
  readonly values: Values;
  /** As it was known before the reading that is looked at. */
  readonly before: Values;
}

/** Undefined: what is known does not say, because a field is missing or is of another type than it is compared with. */
export type Condition = (facts: Facts) => boolean | undefined;

/** What a condition looks at, for people: JsonLogic only says which fields. */
export interface Comparison {
  readonly field: string;
  readonly operator?: string;
  readonly limit?: unknown;
}

export interface Compared extends Comparison {
  /** Absent where it is not known. */
  readonly value?: unknown;
}

/** How long the alert that a condition raises waits, rests and lasts; moments are domain time. */
export interface EvaluableRule {
  readonly evaluable: true;
  readonly dialect: 'conditions' | 'JsonLogic';
  /** Absent where the rule waits for the absence of data only. */
  readonly when: Condition | undefined;
  /** What ends an alert that `when` raised; it is asked for only while one is open. */
  readonly clears: Condition | undefined;
  /** So long must the condition have held. */
  readonly forMs: number;
  /** So long after an alert was raised none is raised again. */
  readonly coolDownMs: number;
  /** So long without a reading raises an alert. */
  readonly absentMs: number | undefined;
  readonly message: string | undefined;
  /** What `when` looks at. */
  readonly comparisons: readonly Comparison[];
}

interface InertRule {
  readonly evaluable: false;
  /** Completes "The rule is not evaluated: …". */
  readonly reason: string;
}

export type ReadRule = EvaluableRule | InertRule;
