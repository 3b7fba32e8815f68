import type { ReportEntry } from '../../api/reports.ts';
import { toCsv } from '../../text/csv.ts';
import { formatTime } from '../../text/format.ts';

/** yyyyMMddHHmmss in UTC, as the interface writes it. */
const toIso = (text: string): string =>
  text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');

export const entryTime = ({ pd, error }: ReportEntry): string => {
  const at = pd.time ?? error.time;
  return at === undefined ? '–' : formatTime(toIso(at));
};

const HEAD = ['number', 'deviceId', 'latitude', 'longitude', 'radiusMetres', 'time', 'error'];

export const reportCsv = (entries: readonly ReportEntry[]): string =>
  toCsv([
    HEAD,
    ...entries.map(({ msid, deviceId, pd, error }) => {
      const at = pd.time ?? error.time;
      const time = at === undefined ? '' : toIso(at);
      return [msid, deviceId, pd.x ?? '', pd.y ?? '', pd.radius ?? '', time, error.type ?? ''];
    }),
  ]);
