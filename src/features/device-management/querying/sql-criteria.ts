import type { Tenant } from '../../../platform/context/context.ts';
import { joinSql, type Query, sql, trusted } from '../../../platform/db/sql.ts';
import type { Criterion } from './fields.ts';

const COLUMNS = {
  device: 'device_id',
  foreign: 'foreign_id',
  version: 'version_id',
  node: 'node_uuid',
  created: 'created_on',
  updated: 'last_updated',
} as const;

/** A document with only this value at this path. */
const nested = (path: readonly string[], value: unknown): string =>
  path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, JSON.stringify(value));

function onDocument(row: Query, { path, forms, orAbsent }: Criterion & { on: 'document' }): Query {
  const fits = forms.map((form) => sql`${row}.record @> ${nested(path, form)}::jsonb`);
  const absent = orAbsent ? [sql`${row}.record->>${path[0]}::text is null`] : [];
  return sql`(${joinSql([...fits, ...absent], ' or ')})`;
}

/** `row` is the row of the table in the statement, `id` the column with the record's id. */
function condition({ ecpdId, accountName }: Tenant, row: Query, id: Query, criterion: Criterion): Query {
  switch (criterion.on) {
    case 'nothing':
      return sql`false`;
    case 'everything':
      return sql`true`;
    case 'identifier':
      return sql`${row}.device_id in (
        select di.device_id from device_identifier di
        where di.kind = ${criterion.kind} and di.value = any(${criterion.values}::text[])
          and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName})`;
    case 'uuid': {
      const column = criterion.column === 'id' ? id : trusted(COLUMNS[criterion.column]);
      return sql`${row}.${column} = ${criterion.value}`;
    }
    case 'moment': {
      const column = sql`${row}.${trusted(COLUMNS[criterion.column])}`;
      return sql`${column} >= ${criterion.from} and ${column} < ${criterion.to}`;
    }
    case 'version':
      return sql`${row}.version = ${criterion.value}`;
    case 'document':
      return onDocument(row, criterion);
  }
}

export const conditions = (tenant: Tenant, row: Query, id: Query, criteria: readonly Criterion[]): Query =>
  joinSql(
    criteria.map((criterion) => sql` and ${condition(tenant, row, id, criterion)}`),
    '',
  );

/** Selects the ids of the account's matching devices, gateways and sensors. */
export const devicesLike = (tenant: Tenant, criteria: readonly Criterion[]): Query => sql`
  select d.device_id from device d where d.ecpd_id = ${tenant.ecpdId} and d.account_name = ${tenant.accountName}
    ${conditions(tenant, sql`d`, sql`device_id`, criteria)}`;

/** Whether typically few records match: then they are found first and sorted afterwards. */
export const isSelective = (criterion: Criterion): boolean =>
  criterion.on === 'identifier' ||
  (criterion.on === 'uuid' && criterion.column !== 'foreign') ||
  (criterion.on === 'document' && !criterion.orAbsent);
