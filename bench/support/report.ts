import { median, show, spread } from './statistics.ts';

export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One measured line: what, against what, and what its target is held against. */
export interface Finding {
  readonly what: string;
  readonly ours: string;
  readonly against: string;
  readonly ratio: string;
  /** What it is measured beside, in a few words. */
  readonly is?: string;
  /** Absent where there is nothing to reach: the line is there to be known. */
  readonly target?: Target | undefined;
  /** Held against the target, one value a round: ratios where there is something beside us, else what was measured. */
  readonly held: readonly number[];
  /** Of what is measured at several sizes. */
  readonly curve?: Curve;
}

/** What something costs at several sizes, to be drawn. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly values: readonly number[] }[];
}

const middle = (values: readonly number[]): string =>
  values.length === 1 ? show(values[0]!) : `${show(median(values))} (${spread(values)})`;

interface Beside {
  readonly what: string;
  readonly ours: readonly number[];
  /** Of the same rounds, in the same order. */
  readonly against: readonly number[];
  /** What that is, in a few words. */
  readonly is: string;
  readonly target?: Target;
}

/** Ours beside something else, round by round, because a machine's moods fall on both of a round. */
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

/** Something that is held against a number, not against a peer. */
export const alone = (what: string, values: readonly number[], target?: Target): Finding => ({
  what,
  ours: middle(values),
  against: '',
  ratio: '',
  target,
  held: values,
});

export const limitOf = (target: Target): number => ('atLeast' in target ? target.atLeast : target.atMost);

/** Undefined where there is nothing to reach. */
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
