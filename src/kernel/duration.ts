/** An ISO 8601 duration such as PT5M, P1D or P1M, in whole units. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

const SHAPE =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?$/;
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

export function parseDuration(text: string): Duration | undefined {
  const match = SHAPE.exec(text.toUpperCase());
  if (match === null) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number];
  return {
    months: years * 12 + months,
    ms: (weeks * 7 + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND,
  };
}

/** Months are calendar months, cut to a shorter month: 31 January plus a month is 28 February. */
export function addDuration(at: Date, { months, ms }: Duration): Date {
  const moved = new Date(at);
  if (months !== 0) {
    moved.setUTCDate(1);
    moved.setUTCMonth(moved.getUTCMonth() + months);
    const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
    moved.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  }
  return new Date(moved.getTime() + ms);
}
