export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)]!;
};

export const spread = (values: readonly number[]): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${show(low)} to ${show(high)}`;
};

export const show = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The median of several measurements, for work that is too short to measure once. */
export async function medianOf(times: number, measure: (nth: number) => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let nth = 0; nth < times; nth++) values.push(await measure(nth));
  return median(values);
}
