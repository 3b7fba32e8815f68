import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import type { Db } from '../../../platform/db/db.ts';
import { recordFaults } from '../errors.ts';
import { ANSWER_MAX_CHARS, EXPANDED_MAX } from '../limits.ts';
import { describeEvaluation } from '../rule-dialect/parse-rule.ts';
import { findLicenses, findLicensesFor } from './assigned-licenses.ts';
import type { RecordKind, StoredRecord } from './fields.ts';
import { sealPage } from './page.ts';
import { parseQuery, questionOf, type RecordQuery } from './record-query.ts';
import type { QueryBody } from './schemas.ts';
import { listParents, listRecords, listSensorsOf } from './sql-records.ts';
import { documentOf, toWireRecord, type WireRecord } from './wire.ts';

const parentOf = (record: StoredRecord): string | undefined => {
  const id = documentOf(record)['parentdeviceid'];
  return typeof id === 'string' ? id : undefined;
};

/** Adds a record to the size of the response; refuses if that becomes too large. */
type AddSize = (record: StoredRecord, cause: string) => void;

function makeSizeLimit(): AddSize {
  let chars = 0;
  return ({ record }, cause) => {
    chars += record.length;
    if (chars > ANSWER_MAX_CHARS) refuse(recordFaults.answerTooLarge, { cause });
  };
}

type Expand = (record: StoredRecord) => WireRecord;
const EXPAND = 'filter.$expand';
const LIMIT = 'filter.$limitnumber';
const nothing: Expand = () => ({});

async function findParents(
  db: Db,
  tenant: Tenant,
  records: readonly StoredRecord[],
  addSize: AddSize,
): Promise<Expand> {
  const ids = records.map(parentOf).filter((id) => id !== undefined);
  const found = await listParents(db, tenant, [...new Set(ids)]);
  const complete = await findLicenses(db, tenant, found, EXPAND);
  const parents = new Map(found.map((one) => [one.id, one]));
  // One gateway may be expanded in thousands of its sensors.
  return (record) => {
    const parent = parents.get(parentOf(record) ?? '');
    if (parent !== undefined) addSize(parent, EXPAND);
    return {
      parentdevice: parent === undefined ? null : complete(toWireRecord(parent, tenant.accountName), parent),
    };
  };
}

async function findSensors(
  db: Db,
  tenant: Tenant,
  records: readonly StoredRecord[],
  addSize: AddSize,
): Promise<Expand> {
  const ids = records.map(({ id }) => id);
  const sensors = await listSensorsOf(db, tenant, ids, EXPANDED_MAX + 1);
  if (sensors.length > EXPANDED_MAX) refuse(recordFaults.tooManyExpanded, { cause: EXPAND });
  for (const sensor of sensors) addSize(sensor, EXPAND);
  const complete = await findLicenses(db, tenant, sensors, EXPAND);
  const byParent = Map.groupBy(sensors, parentOf);
  return ({ id }) => ({
    sensors: (byParent.get(id) ?? []).map((sensor) =>
      complete(toWireRecord(sensor, tenant.accountName), sensor),
    ),
  });
}

/** Describes next to the fields of a rule whether it is evaluated. */
export const evaluationOf = (rule: StoredRecord): WireRecord => ({
  evaluation: describeEvaluation(JSON.parse(rule.record)),
});

async function expansions(
  db: Db,
  tenant: Tenant,
  { kind, expand, projection }: RecordQuery,
  records: readonly StoredRecord[],
  addSize: AddSize,
): Promise<Expand> {
  if (kind === 'rule') return (projection?.has('evaluation') ?? true) ? evaluationOf : nothing;
  const parent = expand.has('parentdevice') ? await findParents(db, tenant, records, addSize) : nothing;
  const sensors = expand.has('sensors') ? await findSensors(db, tenant, records, addSize) : nothing;
  return (record) => ({ ...parent(record), ...sensors(record) });
}

/** The transaction options of queries. */
export const SNAPSHOT = { isolation: 'repeatable read', readOnly: true, onlyByIndex: true } as const;

interface Answer {
  readonly records: readonly WireRecord[];
  /** The value that requests the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** A page of matching records, in one snapshot with the records expanded in them. */
export async function queryRecords(
  ctx: Ctx,
  tenant: Tenant,
  kind: RecordKind,
  body: QueryBody,
): Promise<Answer> {
  const query = parseQuery(ctx, tenant, kind, body);
  const { limit } = query.page;
  // A transaction also takes a connection of its own, so reads of one row do not queue behind thousands.
  return ctx.db.tx(async (db) => {
    const found = await listRecords(db, tenant, query);
    const addSize = makeSizeLimit();
    for (const record of found) addSize(record, LIMIT);
    const page = found.slice(0, limit);
    const complete = await findLicensesFor(query.projection, db, tenant, page, LIMIT);
    const expand = await expansions(db, tenant, query, page, addSize);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      records: page.map((record) => ({
        ...complete(toWireRecord(record, tenant.accountName, query.projection), record),
        ...expand(record),
      })),
      next: last && sealPage(ctx, tenant, questionOf(query), last.place),
    };
  }, SNAPSHOT);
}
