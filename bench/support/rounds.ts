/** How often everything is measured after the round that warms up: `BENCH_ROUNDS`, or what a benchmark needs to be steady. */
export const roundsOr = (usual: number): number => Number(process.env['BENCH_ROUNDS'] ?? usual);
