/** `--quick`: one round of the short benchmarks, to detect regressions. */
export const IS_QUICK = process.argv.includes('--quick');

/** Number of rounds after the warm-up: `BENCH_ROUNDS`, or the number that a benchmark needs for stable results. */
export const roundsOr = (usual: number): number =>
  Number(process.env['BENCH_ROUNDS'] ?? (IS_QUICK ? 1 : usual));
