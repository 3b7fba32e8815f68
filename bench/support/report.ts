import { median, show, spread } from './statistics.ts';

export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One measured line: the measure, the comparison, and the values to check against the target. */
export interface Finding {
  readonly what: string;
  readonly ours: string;
  readonly against: string;
  readonly ratio: string;
  /** The comparison, in a few words. */
  readonly is?: string;
  /** Absent for a measure that is only information. */
  readonly target?: Target | undefined;
  /** Checked against the target, one value per round: ratios if there is a comparison, else the measured values. */
  readonly held: readonly number[];
  /** For measures at several sizes. */
  readonly curve?: Curve;
}

/** Costs at several sizes, for a plot. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly values: readonly number[] }[];
}

const middle = (values: readonly number[]): string =>
  values.length === 1 ? show(values[0]!) : `${show(median(values))} (${spread(values)})`;

interface Beside {
  readonly what: string;
  readonly ours: readonly number[];
  /** Results of the same rounds, in the same order. */
  readonly against: readonly number[];
  /** The comparison, in a few words. */
  readonly is: string;
  readonly target?: Target;
}

/** Compares ours with another, round by round, because variations of the machine affect both sides of a round. */
export function beside({ what, ours, against, is, target }: Beside): Finding {
  const ratios = ours.map((value, round) => value / against[round]!);
  return {
    what,
    ours: middle(ours),
    against: `${middle(against)}, ${is}`,
    ratio: middle(ratios),
    is,
    target,
    held: ratios,
  };
}

/** A measure compared with a number instead of a peer. */
export const alone = (what: string, values: readonly number[], target?: Target): Finding => ({
  what,
  ours: middle(values),
  against: '',
  ratio: '',
  target,
  held: values,
});

export const limitOf = (target: Target): number => ('atLeast' in target ? target.atLeast : target.atMost);

/** Undefined if there is no target. */
export function isMet({ target, held }: Finding): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atLeast' in target ? median(held) >= target.atLeast : median(held) <= target.atMost;
}

function targetText(target: Target | undefined): string {
  if (target === undefined) return '';
  const words = 'atLeast' in target ? 'at least' : 'at most';
  return `${words} ${limitOf(target).toLocaleString('en')}`;
}

export function table(findings: readonly Finding[]): string {
  const head = '| Measure | Linekeeper | Against | Ratio | Target | Met |\n|---|---|---|---|---|---|';
  const rows = findings.map((finding) => {
    const met = isMet(finding);
    const { what, ours, against, ratio, target } = finding;
    return `| ${what} | ${ours} | ${against} | ${ratio} | ${targetText(target)} | ${met === undefined ? '' : met ? 'yes' : 'no'} |`;
  });
  return [head, ...rows].join('\n');
}
