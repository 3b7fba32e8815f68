import { isUuid } from '../../../kernel/uuid.ts';
import { type Query, sql, trusted } from '../../../platform/db/sql.ts';
import { momentOf } from '../../device-management/index.ts';

/** Matches an id in any letter case; what is none is nobody's. */
export const hasId = (column: string, value: string): Query =>
  isUuid(value) ? sql`a.${trusted(column)} = ${value}::uuid` : sql`false`;

const hasText = (expression: string, value: string): Query => sql`${trusted(expression)} = ${value}`;

function hasMoment(column: string, value: string): Query {
  const at = momentOf(value);
  return at === undefined ? sql`false` : sql`date_trunc('milliseconds', a.${trusted(column)}) = ${at}`;
}

type Match = (value: string) => Query;

/** What a selection can ask for, by the names that records have. */
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

/** Undefined where records have no such field; `reading.…` reaches into what was read. */
export function matchField(
  [first, ...path]: readonly [string, ...string[]],
  value: string,
): Query | undefined {
  if (first === 'reading' && path.length > 0) return sql`a.reading #>> ${path}::text[] = ${value}`;
  return path.length === 0 && Object.hasOwn(FIELDS, first) ? FIELDS[first]!(value) : undefined;
}
