/** What a plan asks of a device that is to be put on it. */
export interface PlanRules {
  readonly code: string;
  readonly kind: 'payAsYouGo' | 'share' | 'unlimited';
  readonly fixedLocation: boolean;
  /** Product models that the plan supports; null when all are. */
  readonly models: readonly string[] | null;
}

/** Address qualification: unlimited plans for one place are sold only where they can be served. */
export const needsQualification = ({ kind, fixedLocation }: PlanRules): boolean =>
  kind === 'unlimited' && fixedLocation;

/** A model that nobody knows is not among those that a plan names. */
export const supportsModel = ({ models }: PlanRules, model: string | null): boolean =>
  models === null || (model !== null && models.includes(model));
