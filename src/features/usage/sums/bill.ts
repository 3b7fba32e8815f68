/** How a bill groups usage: by APN for accounts with real-time rating, by rating group for the others. */
export type BilledBy = 'apn' | 'rating_group';

/** Whole numbers and amounts as decimal digits, never rounded. */
export interface BilledSum {
  readonly totalBytes: string;
  /** From records with an amount: a charge of their own, or a plan with a rate. */
  readonly billedBytes: string;
  readonly amount: string;
}

export interface BilledCountry extends BilledSum {
  /** Empty: not known. */
  readonly countryCode: string;
}

/** An APN or a rating group. */
export interface BilledGroup extends BilledSum {
  /** Empty: not known. */
  readonly name: string;
  readonly countries: readonly BilledCountry[];
  /** The part that arrived after its billing month had closed. */
  readonly delayed: readonly BilledCountry[];
}

export interface Bill extends BilledSum {
  readonly groups: readonly BilledGroup[];
}

export const NOTHING_BILLED: Bill = { totalBytes: '0', billedBytes: '0', amount: '0', groups: [] };

/** One sum; the columns that are set say what it is a sum of. */
export interface BilledRow extends BilledSum {
  /** The line whose bill it is part of; null in a bill for all. */
  readonly line: string | null;
  readonly level: 'total' | 'group' | 'country' | 'delayed';
  readonly name: string | null;
  readonly countryCode: string | null;
}

/** Builds a bill from its rows, in which the rows of one group come before those of the next. */
export function toBill(rows: readonly BilledRow[]): Bill {
  let total: BilledSum = NOTHING_BILLED;
  const groups = new Map<string, { sum: BilledSum; countries: BilledCountry[]; delayed: BilledCountry[] }>();
  const groupOf = (name: string) => {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const made = { sum: NOTHING_BILLED as BilledSum, countries: [], delayed: [] };
    groups.set(name, made);
    return made;
  };
  for (const { level, name, countryCode, totalBytes, billedBytes, amount } of rows) {
    const sum = { totalBytes, billedBytes, amount };
    if (level === 'total') total = sum;
    else if (level === 'group') groupOf(name ?? '').sum = sum;
    else
      groupOf(name ?? '')[level === 'country' ? 'countries' : 'delayed'].push({
        ...sum,
        countryCode: countryCode ?? '',
      });
  }
  return {
    ...total,
    groups: [...groups].map(([name, { sum, countries, delayed }]) => ({ ...sum, name, countries, delayed })),
  };
}
