/** `--quick`: one round of what is short, to see whether something fell. */
export const IS_QUICK = process.argv.includes('--quick');

/** How often everything is measured after the round that warms up: `BENCH_ROUNDS`, or what a benchmark needs to be steady. */
export const roundsOr = (usual: number): number =>
  Number(process.env['BENCH_ROUNDS'] ?? (IS_QUICK ? 1 : usual));
