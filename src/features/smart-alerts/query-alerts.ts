import { isUuid } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import { textOf } from '../../platform/json/exact-json.ts';
import {
  ANSWER_MAX_CHARS,
  momentOf,
  parseDeviceIdentifiers,
  parseExpand,
  parseFields,
  readPage,
  sealPage,
} from '../device-management/index.ts';
import { listDeviceNames } from '../devices/index.ts';
import { smartAlertFaults } from './errors.ts';
import type { QueryBody, WireAlert } from './schemas.ts';
import { countAlerts, listAlerts, type SmartAlert } from './sql-alert.ts';

const momentOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

const toWireAlert = (alert: SmartAlert, names: ReadonlyMap<string, string>): WireAlert => ({
  accountclientid: null,
  acknowledged: alert.acknowledgedAt !== null,
  acknowledgedby: alert.acknowledgedBy,
  acknowledgedon: momentOrNull(alert.acknowledgedAt),
  billingaccountid: alert.accountName,
  cause: alert.cause,
  clearedon: momentOrNull(alert.clearedAt),
  clearedreason: alert.clearedBecause,
  compared: [...alert.compared],
  createdon: alert.createdOn.toISOString(),
  description: alert.message,
  deviceid: alert.deviceId,
  devicename: names.get(alert.deviceId) ?? null,
  foreignid: alert.foreignId,
  id: alert.alertId,
  lastupdated: alert.lastUpdated.toISOString(),
  name: alert.ruleName,
  raisedon: alert.raisedAt.toISOString(),
  reading: alert.reading,
  ruleid: alert.ruleId,
  state: alert.clearedAt === null ? 'raised' : 'cleared',
  version: String(alert.version),
  versionid: alert.versionId,
});

/** With the present names of their devices. */
export async function toWireAlerts(
  { db }: Ctx,
  tenant: Tenant,
  alerts: readonly SmartAlert[],
): Promise<WireAlert[]> {
  const deviceIds = [...new Set(alerts.map(({ deviceId }) => deviceId))];
  const names = await listDeviceNames(db, tenant, deviceIds);
  return alerts.map((alert) => toWireAlert(alert, names));
}

/** Unknown names are ignored. */
export const project = (alert: WireAlert, wanted: ReadonlySet<string> | undefined): Partial<WireAlert> =>
  wanted === undefined
    ? alert
    : Object.fromEntries(Object.entries(alert).filter(([name]) => wanted.has(name)));

/** Matches an id in any letter case; a text that is no id matches nothing. */
const hasId = (column: string, value: string): Query =>
  isUuid(value) ? sql`a.${trusted(column)} = ${value}::uuid` : sql`false`;

const hasText = (expression: string, value: string): Query => sql`${trusted(expression)} = ${value}`;

function hasMoment(column: string, value: string): Query {
  const at = momentOf(value);
  return at === undefined ? sql`false` : sql`date_trunc('milliseconds', a.${trusted(column)}) = ${at}`;
}

type Match = (value: string) => Query;

/** The fields that a selection may use, by their names in records. */
const FIELDS: Readonly<Record<string, Match>> = {
  accountclientid: () => sql`false`,
  acknowledged: (value) => hasText('(a.acknowledged_at is not null)::text', value.toLowerCase()),
  acknowledgedby: (value) => hasText('a.acknowledged_by', value),
  acknowledgedon: (value) => hasMoment('acknowledged_at', value),
  billingaccountid: (value) => hasText('a.account_name', value),
  cause: (value) => hasText('a.cause', value.toLowerCase()),
  clearedon: (value) => hasMoment('cleared_at', value),
  clearedreason: (value) => hasText('a.cleared_because', value),
  createdon: (value) => hasMoment('created_on', value),
  description: (value) => hasText('a.message', value),
  deviceid: (value) => hasId('device_id', value),
  foreignid: (value) => hasId('foreign_id', value),
  id: (value) => hasId('alert_id', value),
  lastupdated: (value) => hasMoment('last_updated', value),
  name: (value) => hasText('a.rule_name', value),
  raisedon: (value) => hasMoment('raised_at', value),
  ruleid: (value) => hasId('rule_id', value),
  state: (value) =>
    hasText("case when a.cleared_at is null then 'raised' else 'cleared' end", value.toLowerCase()),
  version: (value) => hasText('a.version::text', value),
  versionid: (value) => hasId('version_id', value),
};

/** Undefined if records have no such field; `reading.…` addresses a value of the reading. */
function matchField([first, ...path]: readonly [string, ...string[]], value: string): Query | undefined {
  if (first === 'reading' && path.length > 0) return sql`a.reading #>> ${path}::text[] = ${value}`;
  return path.length === 0 && Object.hasOwn(FIELDS, first) ? FIELDS[first]!(value) : undefined;
}

/** More than anyone pages through by number. */
const SKIP_MAX = 1_000_000;

/** Identifiers stored in the alert itself; the others are those of its device. */
const OWN_IDS = { id: 'alert_id', ruleid: 'rule_id', deviceid: 'device_id' } as const;

function parseIdentifiers(tenant: Tenant, resource: NonNullable<QueryBody['resourceidentifier']>): Query[] {
  const { id, ruleid, deviceid, ...ofDevice } = resource;
  const own = Object.entries({ id, ruleid, deviceid }).flatMap(([name, given]) =>
    given === undefined || given === null
      ? []
      : [hasId(OWN_IDS[name as keyof typeof OWN_IDS], textOf(given) ?? '')],
  );
  const devices = parseDeviceIdentifiers(tenant, ofDevice);
  return devices === undefined ? own : [...own, sql`a.device_id in (${devices})`];
}

/** The conditions that a query states. */
const parseConditions = (tenant: Tenant, { filter, resourceidentifier = {} }: QueryBody): Query[] => [
  ...parseIdentifiers(tenant, resourceidentifier),
  ...parseFields(filter?.$selection, matchField),
];

interface AlertPage {
  readonly alerts: readonly WireAlert[];
  /** The value that requests the next page; undefined on the last page. */
  readonly next: string | undefined;
}

export async function queryAlerts(
  ctx: Ctx,
  tenant: Tenant,
  body: QueryBody,
  invalid: FaultKind,
): Promise<AlertPage> {
  const { filter = {} } = body;
  const conditions = parseConditions(tenant, body);
  // Like rules, alerts are not part of another record.
  parseExpand('rule', filter.$expand);
  const question = { of: 'smart alerts', criteria: conditions.map(({ text, values }) => [text, values]) };
  const page = readPage(ctx, tenant, question, filter);
  if (page.skip > SKIP_MAX)
    refuse(invalid, {
      reason: `it goes beyond ${SKIP_MAX} alerts; use $page with the X-Next of the previous page`,
      cause: 'filter.$pagenumber',
    });
  const found = await listAlerts(ctx.db, tenant, conditions, { ...page, limit: page.limit + 1 });
  if (found.reduce((sum, { chars }) => sum + chars, 0) > ANSWER_MAX_CHARS)
    refuse(smartAlertFaults.answerTooLarge, { cause: 'filter.$limitnumber' });
  const alerts = found.slice(0, page.limit);
  const last = found.length > page.limit ? alerts.at(-1) : undefined;
  return {
    alerts: await toWireAlerts(ctx, tenant, alerts),
    next: last && sealPage(ctx, tenant, question, last.alertId),
  };
}

export const countMatching = ({ db }: Ctx, tenant: Tenant, body: QueryBody) =>
  countAlerts(db, tenant, parseConditions(tenant, body));
