import type { ReportEntry } from '../../api/reports.ts';
import { toCsv } from '../../text/csv.ts';
import { formatTime } from '../../text/format.ts';
import { reasonOf } from './reasons.ts';

/** yyyyMMddHHmmss in UTC, the interface's format. */
const toIso = (text: string): string =>
  text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');

/** When the device was located, or locating it failed. */
export const entryIso = ({ pd, error }: ReportEntry): string | undefined => {
  const at = pd.time ?? error.time;
  return at === undefined ? undefined : toIso(at);
};

export const entryTime = (entry: ReportEntry): string => {
  const at = entryIso(entry);
  return at === undefined ? '–' : formatTime(at);
};

const HEAD = ['number', 'deviceId', 'latitude', 'longitude', 'radiusMetres', 'time', 'error', 'reason'];

export const reportCsv = (entries: readonly ReportEntry[]): string =>
  toCsv([
    HEAD,
    ...entries.map((entry) => {
      const { msid, deviceId, pd, error } = entry;
      const place = [pd.x ?? '', pd.y ?? '', pd.radius ?? ''];
      return [msid, deviceId, ...place, entryIso(entry) ?? '', error.type ?? '', reasonOf(entry)];
    }),
  ]);
