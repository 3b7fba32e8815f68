const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** In powers of 1024, like plans. */
export function formatBytes(bytes: number): string {
  const power = bytes <= 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value >= 100 || power === 0 ? 0 : value >= 10 ? 1 : 2 })} ${UNITS[power]}`;
}

export const formatNumber = (value: number): string => value.toLocaleString('en');

export const formatPercent = (part: number, whole: number): string =>
  whole <= 0
    ? '–'
    : `${((part / whole) * 100).toLocaleString('en', { maximumFractionDigits: part / whole < 0.1 ? 1 : 0 })} %`;

const dateTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});
const shortTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDate = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The console shows all times in one zone and names it, because people in several zones read the same log. */
export const formatTime = (text: string): string => `${dateTime.format(new Date(text))} UTC`;
/** Without the zone, for charts, which name it once. */
export const formatShortTime = (ms: number): string => shortTime.format(new Date(ms));
/** Time of day, for charts of an hour. */
export const formatClock = (ms: number): string => clock.format(new Date(ms));
/** A calendar day, independent of the reader's time zone. */
export const formatDay = (day: string): string => date.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
/** The end is exclusive. */
export const formatPeriod = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${formatDay(from)} to before ${formatDay(to)}`;
export const formatShortDay = (day: string): string =>
  shortDate.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export function formatAgo(atMs: number, nowMs: number): string {
  const seconds = (atMs - nowMs) / 1_000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 5 ? 'now' : relative.format(Math.trunc(seconds), 'second');
}

/** A duration in its largest unit. */
export function formatSpan(ms: number): string {
  const seconds = Math.abs(ms) / 1_000;
  const [unit, size] = STEPS.find(([, least]) => seconds >= least) ?? (['second', 1] as const);
  return Math.floor(seconds / size).toLocaleString('en', { style: 'unit', unit, unitDisplay: 'long' });
}

const moneyFormats = new Map<string, Intl.NumberFormat>();
/** Uses the currency code, because many countries share the dollar sign. */
export function formatMoney(amount: number, currency: string): string {
  const format =
    moneyFormats.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  moneyFormats.set(currency, format);
  return format.format(amount);
}

const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** From yyyy-mm. */
export const formatMonth = (month: string): string => monthAndYear.format(new Date(`${month}-01T00:00:00Z`));
const shortMonth = new Intl.DateTimeFormat('en', { month: 'short', year: '2-digit', timeZone: 'UTC' });
export const formatShortMonth = (month: string): string =>
  shortMonth.format(new Date(`${month}-01T00:00:00Z`));

/** "No lines", "1 line", "12 lines". */
export const formatCount = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number === 0 ? 'No' : formatNumber(number)} ${many}`;
