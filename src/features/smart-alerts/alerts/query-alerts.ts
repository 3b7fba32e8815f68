import { type DeviceIdKind, parseDeviceId, parseDeviceIdKind } from '../../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../../platform/context.ts';
import type { Query } from '../../../platform/db/sql.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type FaultKind, refuse } from '../../../platform/fault.ts';
import { type AlertFilter, LIMITS, type QueryBody } from '../schemas.ts';
import type { SmartAlert } from './alert.ts';
import { hasId, matchField } from './selection.ts';
import { countAlerts, isDeviceWith, listAlerts, type Page } from './sql-query.ts';

const IMEI_DIGITS = 15;
const CURSOR = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Further into an account nobody pages by number. */
const OFFSET_MAX = 1_000_000;

const spell = (kind: DeviceIdKind, value: string): string =>
  kind === 'imei' && /^\d+$/.test(value) ? value.padStart(IMEI_DIGITS, '0') : value;

/** Which conditions a query states, each on an indexed key or a field of the record. */
function readConditions(
  tenant: Tenant,
  { filter, resourceidentifier = {} }: Pick<QueryBody, 'filter' | 'resourceidentifier'>,
  invalid: FaultKind,
): Query[] {
  const identified = Object.entries(resourceidentifier).map(([name, given]) => {
    const value = String(given);
    if (name === 'id') return hasId('alert_id', value);
    if (name === 'ruleid') return hasId('rule_id', value);
    if (name === 'deviceid') return hasId('device_id', value);
    const kind = parseDeviceIdKind(name);
    if (kind === undefined)
      return refuse(invalid, { reason: `resourceidentifier.${name} does not identify a smart alert` });
    const device = parseDeviceId(kind, spell(kind, value));
    return device === undefined ? sql`false` : isDeviceWith(tenant, device);
  });
  const selected = Object.entries(filter?.$selection ?? {}).map(
    ([name, value]) =>
      matchField(name, String(value)) ??
      refuse(invalid, { reason: `filter.$selection.${name} is no field of a smart alert` }),
  );
  return [...identified, ...selected];
}

function readPage(filter: AlertFilter, invalid: FaultKind): Page {
  const { $limitnumber: limit = LIMITS.defaultPage, $pagenumber: number = 1, $page: page } = filter;
  if (filter.$nopagination) return { after: undefined, offset: 0, limit: LIMITS.unpaged };
  const after = page === undefined ? undefined : Buffer.from(page, 'base64url').toString();
  if (after !== undefined && (!CURSOR.test(after) || Buffer.from(after).toString('base64url') !== page))
    return refuse(invalid, { reason: 'filter.$page is not the X-Next of this query' });
  const offset = after === undefined ? (number - 1) * limit : 0;
  return offset <= OFFSET_MAX
    ? { after, offset, limit }
    : refuse(invalid, { reason: 'filter.$pagenumber is too far: page on with $page' });
}

export interface AlertPage {
  readonly alerts: readonly SmartAlert[];
  /** What the next page is asked for with. */
  readonly next: string | undefined;
}

export async function queryAlerts(
  { db }: Ctx,
  tenant: Tenant,
  body: QueryBody,
  invalid: FaultKind,
): Promise<AlertPage> {
  const page = readPage(body.filter ?? {}, invalid);
  const alerts = await listAlerts(db, tenant, readConditions(tenant, body, invalid), page);
  const last = alerts.length === page.limit ? alerts.at(-1) : undefined;
  const next =
    last && !body.filter?.$nopagination ? Buffer.from(last.alertId).toString('base64url') : undefined;
  return { alerts, next };
}

export const countMatching = ({ db }: Ctx, tenant: Tenant, body: QueryBody, invalid: FaultKind) =>
  countAlerts(db, tenant, readConditions(tenant, body, invalid));
