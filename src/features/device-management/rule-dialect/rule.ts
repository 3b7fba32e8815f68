/** The known values of a device: the newest value of each field. */
export type Values = Readonly<Record<string, unknown>>;

export interface Facts {
  readonly values: Values;
  /** The known values before the present reading. */
  readonly before: Values;
}

/** Undefined if the facts do not decide: a field is missing, or its type differs from the type of the limit. */
export type Condition = (facts: Facts) => boolean | undefined;

/** One comparison of a condition, for display; JsonLogic yields only field names. */
export interface Comparison {
  readonly field: string;
  readonly operator?: string;
  readonly limit?: unknown;
}

export interface Compared extends Comparison {
  /** Absent if the value is not known. */
  readonly value?: unknown;
}

/** A rule with its condition and times; times are in domain time. */
export interface EvaluableRule {
  readonly evaluable: true;
  readonly dialect: 'conditions' | 'JsonLogic';
  /** Undefined if the rule only waits for the absence of data. */
  readonly when: Condition | undefined;
  /** Ends an alert raised by `when`; evaluated only while one is open. */
  readonly clears: Condition | undefined;
  /** How long the condition must have held. */
  readonly forMs: number;
  /** The pause after raising an alert before another one. */
  readonly coolDownMs: number;
  /** How long without a reading raises an alert. */
  readonly absentMs: number | undefined;
  readonly message: string | undefined;
  /** The comparisons in `when`. */
  readonly comparisons: readonly Comparison[];
}

interface InertRule {
  readonly evaluable: false;
  /** Completes "The rule is not evaluated: …". */
  readonly reason: string;
}

export type ReadRule = EvaluableRule | InertRule;
