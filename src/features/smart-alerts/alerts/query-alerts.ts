import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { Query } from '../../../platform/db/sql.ts';
import { sql } from '../../../platform/db/sql.ts';
import { textOf } from '../../../platform/json/exact-json.ts';
import {
  ANSWER_MAX_CHARS,
  readDeviceIdentifiers,
  readExpand,
  readFields,
  readPage,
  sealPage,
} from '../../device-management/index.ts';
import { smartAlertFaults } from '../errors.ts';
import type { QueryBody, WireAlert } from '../schemas.ts';
import { toWireAlert } from './alert.ts';
import { hasId, matchField } from './selection.ts';
import { countAlerts, listAlerts } from './sql-query.ts';

/** Further into an account nobody pages by number. */
const SKIP_MAX = 1_000_000;

/** What the alert itself says of these; the other identifiers are those of its device. */
const OWN_IDS = { id: 'alert_id', ruleid: 'rule_id', deviceid: 'device_id' } as const;

function readIdentifiers(tenant: Tenant, resource: NonNullable<QueryBody['resourceidentifier']>): Query[] {
  const { id, ruleid, deviceid, ...ofDevice } = resource;
  const own = Object.entries({ id, ruleid, deviceid }).flatMap(([name, given]) =>
    given === undefined || given === null
      ? []
      : [hasId(OWN_IDS[name as keyof typeof OWN_IDS], textOf(given) ?? '')],
  );
  const devices = readDeviceIdentifiers(tenant, ofDevice);
  return devices === undefined ? own : [...own, sql`a.device_id in (${devices})`];
}

/** Which conditions a query states. */
const readConditions = (tenant: Tenant, { filter, resourceidentifier = {} }: QueryBody): Query[] => [
  ...readIdentifiers(tenant, resourceidentifier),
  ...readFields(filter?.$selection, matchField),
];

export interface AlertPage {
  readonly alerts: readonly WireAlert[];
  /** What the next page is asked for with; undefined with the last one. */
  readonly next: string | undefined;
}

export async function queryAlerts(
  ctx: Ctx,
  tenant: Tenant,
  body: QueryBody,
  invalid: FaultKind,
): Promise<AlertPage> {
  const { filter = {} } = body;
  const conditions = readConditions(tenant, body);
  // Alerts are parts of no other record, as rules are.
  readExpand('rule', filter.$expand);
  const question = { of: 'smart alerts', criteria: conditions.map(({ text, values }) => [text, values]) };
  const page = readPage(ctx, tenant, question, filter);
  if (page.skip > SKIP_MAX)
    refuse(invalid, {
      reason: `it goes beyond ${SKIP_MAX} alerts; use $page, which is the X-Next of the page before`,
      cause: 'filter.$pagenumber',
    });
  const found = await listAlerts(ctx.db, tenant, conditions, { ...page, limit: page.limit + 1 });
  if (found.reduce((sum, { chars }) => sum + chars, 0) > ANSWER_MAX_CHARS)
    refuse(smartAlertFaults.answerTooLarge, { cause: 'filter.$limitnumber' });
  const alerts = found.slice(0, page.limit);
  const last = found.length > page.limit ? alerts.at(-1) : undefined;
  return {
    alerts: alerts.map(toWireAlert),
    next: last && sealPage(ctx, tenant, question, last.alertId),
  };
}

export const countMatching = ({ db }: Ctx, tenant: Tenant, body: QueryBody) =>
  countAlerts(db, tenant, readConditions(tenant, body));
