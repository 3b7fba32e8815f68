import { readFileSync, writeFileSync } from 'node:fs';
import type { Finding } from './report.ts';
import { median, show } from './statistics.ts';

/** The last committed ratios, by benchmark and measure. */
export type Kept = Readonly<Record<string, Readonly<Record<string, number>>>>;

const FILE = 'bench/ratios.json';
/** The normal variation between rounds. */
const MAY_FALL = 0.15;

/** Machines differ in speed, so only ratios to another measurement can be compared over time. */
const isRatio = ({ target, is }: Finding): boolean => target !== undefined && is !== undefined;
const nameOf = ({ what, is }: Finding): string => `${what}, beside ${is}`;

export const ratiosOf = (findings: readonly Finding[]): Record<string, number> =>
  Object.fromEntries(
    findings.filter(isRatio).map((one) => [nameOf(one), Number(median(one.held).toPrecision(3))]),
  );

export const readKept = (): Kept => JSON.parse(readFileSync(FILE, 'utf8'));

/** Leaves measures that were not taken this time unchanged. */
export function keep(measured: Kept): void {
  const kept = { ...readKept(), ...measured };
  const sorted = Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** A sentence for each measure that got worse by more than the normal variation. */
export function whatFell(
  findings: readonly Finding[],
  kept: Readonly<Record<string, number>> = {},
): string[] {
  return findings.filter(isRatio).flatMap((one) => {
    const [now, before] = [median(one.held), kept[nameOf(one)]];
    if (before === undefined) return [];
    const share = 'atLeast' in one.target! ? now / before : before / now;
    return share >= 1 - MAY_FALL ? [] : [`${nameOf(one)}: ${show(now)}, and it was ${show(before)}`];
  });
}
