/** One measured line: what, against what, and whether it reaches its target. */
export interface Finding {
  readonly what: string;
  readonly ours: string;
  readonly against: string;
  readonly ratio: string;
  readonly target: string;
  /** Undefined where there is nothing to reach: the line is there to be known. */
  readonly met: boolean | undefined;
}

export function table(findings: readonly Finding[]): string {
  const head = '| Measure | Linekeeper | Against | Ratio | Target | Met |\n|---|---|---|---|---|---|';
  const rows = findings.map(
    ({ what, ours, against, ratio, target, met }) =>
      `| ${what} | ${ours} | ${against} | ${ratio} | ${target} | ${met === undefined ? '' : met ? 'yes' : 'no'} |`,
  );
  return [head, ...rows].join('\n');
}
