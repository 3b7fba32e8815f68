type Axis = 'latitude' | 'longitude';

const LIMIT = { latitude: 90, longitude: 180 };
const LETTERS = { latitude: /^[NS]$/, longitude: /^[EW]$/ };
/** One to three numbers (degrees, minutes, seconds), with a hemisphere before or after, or a sign. */
const COORDINATE =
  /^([NSEW])?\s*([+-])?(\d{1,3}(?:\.\d{1,15})?)(?:\s+(\d{1,2}(?:\.\d{1,15})?))?(?:\s+(\d{1,2}(?:\.\d{1,15})?))?\s*([NSEW])?$/;

/** The degrees in a location server's text; undefined if it is not a valid coordinate of this axis. */
export function parseCoordinate(text: string, axis: Axis): number | undefined {
  const [all, before, sign, degrees, minutes = '0', seconds = '0', behind] =
    COORDINATE.exec(text.trim().toUpperCase()) ?? [];
  const letter = before ?? behind;
  if (all === undefined || (before !== undefined && behind !== undefined)) return undefined;
  if (letter !== undefined && (sign !== undefined || !LETTERS[axis].test(letter))) return undefined;
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const size = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3_600;
  if (size > LIMIT[axis]) return undefined;
  return letter === 'S' || letter === 'W' || sign === '-' ? 0 - size : size;
}

const TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
const OFFSET = /^([+-]?)(\d{2})(\d{2})$/;
const OFFSET_MAX_MINUTES = 14 * 60;

/** `yyyyMMddHHmmss` in a zone with this offset from UTC. Undefined if it is not a valid time. */
export function parseTime(text: string, offset = '+0000'): Date | undefined {
  const [, year, month, day, hour, minute, second] = (TIME.exec(text.trim()) ?? []).map(Number);
  const [, sign, hours, minutes] = OFFSET.exec(offset.trim()) ?? [];
  if (year === undefined || hours === undefined) return undefined;
  const offsetMinutes = Number(hours) * 60 + Number(minutes);
  const local = new Date(Date.UTC(year, month! - 1, day, hour, minute, second));
  const isReal =
    local.getUTCMonth() === month! - 1 && local.getUTCDate() === day && hour! < 24 && minute! < 60;
  if (!isReal || second! >= 60 || offsetMinutes > OFFSET_MAX_MINUTES) return undefined;
  return new Date(local.getTime() - (sign === '-' ? -offsetMinutes : offsetMinutes) * 60_000);
}
