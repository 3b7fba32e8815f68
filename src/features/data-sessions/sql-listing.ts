import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import { type DeviceKey, isConnected } from '../devices/index.ts';

/** A session as the operator API shows it. */
interface ListedSession {
  readonly nas: string;
  readonly sessionId: string;
  readonly chargingId: number | null;
  readonly state: 'open' | 'closed';
  readonly startedAt: Date | null;
  readonly lastReportAt: Date;
  readonly closedAt: Date | null;
  readonly closeCause: string | null;
  /** From the device. */
  readonly inputBytes: number;
  /** To the device. */
  readonly outputBytes: number;
  readonly apn: string | null;
  readonly rat: string | null;
  readonly ipAddress: string | null;
  readonly sgsn: string | null;
  readonly ggsn: string | null;
  readonly visitedNetwork: string | null;
  readonly countryCode: string | null;
  readonly imeisv: string | null;
  readonly cell: string | null;
  /** Whether that device differs from the one in the line's record. */
  readonly otherDevice: boolean;
}

const COLUMNS = trusted(`s.nas, s.session_id as "sessionId", s.charging_id::float8 as "chargingId",
  case when s.closed_at is null then 'open' else 'closed' end as state, s.started_at as "startedAt",
  s.last_at as "lastReportAt", s.closed_at as "closedAt", s.close_cause as "closeCause",
  (case when s.directions_swapped then s.output else s.input end)::float8 as "inputBytes",
  (case when s.directions_swapped then s.input else s.output end)::float8 as "outputBytes", s.apn, s.rat, s.address as "ipAddress", s.sgsn, s.ggsn, s.visited as "visitedNetwork",
  s.country_code as "countryCode", s.imeisv, s.cell,
  coalesce(left(s.imeisv, 14) <> left(d.imei, 14), false) as "otherDevice"`);

/** Open sessions first, each group newest first. */
export const listSessions = (db: Db, { ecpdId, accountName, deviceId }: DeviceKey, limit: number) =>
  db.many<ListedSession>(sql`
    select ${COLUMNS} from data_session s
    join device d on d.ecpd_id = s.ecpd_id and d.device_id = s.device_id
    where s.ecpd_id = ${ecpdId} and s.account_name = ${accountName} and s.device_id = ${deviceId} and s.last_at is not null
    order by s.closed_at is not null, s.last_at desc, s.session_key limit ${limit}`);

/** The names by which access servers know the open sessions of lines. */
export const listOpenSessions = (db: Db, ecpdId: string, deviceIds: readonly string[], limit: number) =>
  db.many<{ deviceId: string; nas: string; sessionId: string }>(sql`
    select device_id as "deviceId", nas, session_id as "sessionId" from data_session
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and closed_at is null
    order by device_id, last_at desc limit ${limit}`);

/** Whether a line is connected now, according to its sessions if its profile has any. */
export const isLineConnected = async (
  db: Db,
  { ecpdId, accountName, deviceId }: DeviceKey,
): Promise<boolean> =>
  (await db.maybeValue<boolean>(sql`
    select ${isConnected({ ecpdId })} as online from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = ${deviceId}`)) ?? false;
