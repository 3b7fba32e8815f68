import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { joinSql, type Query, sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { DeviceState } from './device.ts';

/** A device as a listing shows it. */
export type ListedDevice = Readonly<
  {
    listNumber: string;
    state: DeviceState;
    servicePlan: string | null;
    planSince: Date | null;
    activatedAt: Date | null;
    activatedBy: string | null;
    ipAddress: string | null;
    createdOn: Date;
    online: boolean;
    /** The start of its last data session. */
    connectedAt: Date | null;
    sku: string | null;
  } & { [K in DeviceIdKind]: string | null }
>;

export interface IdentifierFilter {
  readonly kind: DeviceIdKind;
  readonly contains?: string | undefined;
  readonly startswith?: string | undefined;
  readonly endswith?: string | undefined;
}

export interface ListFilter {
  readonly deviceId?: string | undefined;
  readonly identifiers: readonly IdentifierFilter[];
  readonly state?: DeviceState | undefined;
  readonly planCodes?: readonly string[] | undefined;
  readonly earliest?: Date | undefined;
  /** Included. */
  readonly latest?: Date | undefined;
  /** Not included. */
  readonly before?: Date | undefined;
}

const COLUMNS =
  trusted(`list_number::text as "listNumber", state, service_plan as "servicePlan", plan_since as "planSince",
  activated_at as "activatedAt", activated_by as "activatedBy", ip_address as "ipAddress",
  created_on as "createdOn", record->>'sku' as sku,
  ${DEVICE_ID_KINDS.join(', ')}`);

/**
 * Whether the device `d` is connected: by its data sessions if its profile has any, otherwise by its simulation. The
 * default is connected.
 */
export const isConnected = ({ ecpdId }: { readonly ecpdId: string }): Query => sql`
  case when exists (select from data_session s where s.ecpd_id = ${ecpdId})
    then exists (select from data_session s where s.ecpd_id = ${ecpdId} and s.device_id = d.device_id and s.closed_at is null)
    else coalesce((d.simulation->>'online')::boolean, true) end`;

/** The start of a line's last data session, computed only for the lines of a page. */
const connectedAt = ({ ecpdId }: Tenant) => sql`
  (select max(s.started_at) from data_session s where s.ecpd_id = ${ecpdId} and s.device_id = d.device_id)`;

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** `startswith` uses the directory, whose index has that order; the other parts are compared row by row. */
function identifierConditions(
  { ecpdId, accountName }: Tenant,
  { kind, contains, startswith, endswith }: IdentifierFilter,
) {
  const column = trusted(`d.${kind}`);
  return [
    ...(startswith === undefined
      ? []
      : [
          sql`d.device_id in (
            select di.device_id from device_identifier di
            where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.kind = ${kind}
              and di.value like ${`${literal(startswith)}%`})`,
        ]),
    ...(contains === undefined ? [] : [sql`${column} like ${`%${literal(contains)}%`}`]),
    ...(endswith === undefined ? [] : [sql`${column} like ${`%${literal(endswith)}`}`]),
  ];
}

function conditions(tenant: Tenant, filter: ListFilter): Query {
  const { deviceId, identifiers, state, planCodes, earliest, latest, before } = filter;
  const since = trusted('coalesce(d.activated_at, d.plan_since, d.created_on)');
  const all = [
    sql`true`,
    ...(deviceId === undefined ? [] : [sql`d.device_id = ${deviceId}`]),
    ...identifiers.flatMap((one) => identifierConditions(tenant, one)),
    ...(state === undefined ? [] : [sql`d.state = ${state}`]),
    ...(planCodes === undefined ? [] : [sql`d.service_plan = any(${planCodes}::text[])`]),
    ...(earliest === undefined ? [] : [sql`${since} >= ${earliest}`]),
    ...(latest === undefined ? [] : [sql`${since} <= ${latest}`]),
    ...(before === undefined ? [] : [sql`${since} < ${before}`]),
  ];
  return joinSql(all, ' and ');
}

/** Leaves out sensors, which have no line. The statement is planned each time: the best plan depends on the filter. */
export const listLines = (
  db: Db,
  tenant: Tenant,
  filter: ListFilter,
  page: { readonly after: string; readonly limit: number },
) =>
  db.many<ListedDevice>(
    unprepared(sql`
    select ${COLUMNS}, ${isConnected(tenant)} as online, ${connectedAt(tenant)} as "connectedAt" from device d
    where d.ecpd_id = ${tenant.ecpdId} and d.account_name = ${tenant.accountName} and d.kind <> 'sensor'
      and d.list_number > ${page.after}::bigint and ${conditions(tenant, filter)}
    order by d.list_number limit ${page.limit}`),
  );

/** The list number of a device with this identifier, of any kind. */
export const findListNumber = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  value: string,
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select d.list_number::text as "listNumber" from device_identifier di
    join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id
    where di.kind = any(${DEVICE_ID_KINDS}::text[]) and di.value = ${value}
      and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}
    order by d.list_number limit 1`);
