import { createHash } from 'node:crypto';
import type { Ctx, Tenant } from '../../../platform/context.ts';
import { refuse } from '../../../platform/fault.ts';
import { recordFaults } from '../errors.ts';
import { PAGE_DEFAULT, UNPAGED_MAX } from '../limits.ts';
import type { Criterion } from './criterion.ts';
import type { RecordKind } from './fields.ts';
import { type Expansion, readExpand } from './read-expand.ts';
import { readIdentifiers } from './read-identifiers.ts';
import { isForbidden, readSelection } from './read-selection.ts';
import type { Filter, QueryBody } from './schemas.ts';

/** A query as it was understood. */
export interface RecordQuery {
  readonly kind: RecordKind;
  readonly criteria: readonly Criterion[];
  /** Of the device that a rule is on. */
  readonly ofDevice: readonly Criterion[];
  readonly projection: ReadonlySet<string> | undefined;
  readonly expand: ReadonlySet<Expansion>;
  readonly page: Page;
}

export interface Page {
  readonly limit: number;
  readonly skip: number;
  /** The place of the last record of the page before. */
  readonly after: string | undefined;
}

type Question = Pick<RecordQuery, 'kind' | 'criteria' | 'ofDevice'>;

/** A page goes on in the query that it began with, and nowhere else: what it was sealed for. */
const contextOf = ({ accountName }: Tenant, { kind, criteria, ofDevice }: Question): string =>
  `dm page of ${kind} in ${accountName}: ${createHash('sha256')
    .update(JSON.stringify([criteria, ofDevice]))
    .digest('base64url')}`;

export const sealPage = ({ secrets }: Ctx, tenant: Tenant, question: Question, place: string): string =>
  secrets.seal(place, contextOf(tenant, question));

function openPage({ secrets }: Ctx, tenant: Tenant, question: Question, sealed: string): string {
  try {
    return secrets.open(sealed, contextOf(tenant, question));
  } catch {
    return refuse(recordFaults.badPage, { cause: 'filter.$page' });
  }
}

function readPage(ctx: Ctx, tenant: Tenant, question: Question, filter: Filter): Page {
  const limit = filter.$nopagination === true ? UNPAGED_MAX : (filter.$limitnumber ?? PAGE_DEFAULT);
  const after = filter.$page === undefined ? undefined : openPage(ctx, tenant, question, filter.$page);
  const skipsPages = after === undefined && filter.$nopagination !== true;
  return { limit, after, skip: skipsPages ? ((filter.$pagenumber ?? 1) - 1) * limit : 0 };
}

function readProjection(names: readonly string[] = []): ReadonlySet<string> | undefined {
  const bad = names.find(isForbidden);
  if (bad !== undefined) refuse(recordFaults.badName, { reason: bad, cause: 'filter.$projection' });
  return names.length === 0 ? undefined : new Set(names);
}

/** Refuses what cannot be understood. Users are asked for by a filter alone, and by none for all of them. */
export function readQuery(ctx: Ctx, tenant: Tenant, kind: RecordKind, body: QueryBody): RecordQuery {
  const { filter = {} } = body;
  const wanted = readIdentifiers(kind, kind === 'user' ? {} : body.resourceidentifier);
  const named = wanted.own.length + wanted.ofDevice.length > 0;
  if (kind !== 'user' && body.filter === undefined && !named)
    refuse(recordFaults.identifierMissing, { cause: 'resourceidentifier' });
  const question = {
    kind,
    criteria: [...wanted.own, ...readSelection(tenant.accountName, kind, filter.$selection)],
    ofDevice: wanted.ofDevice,
  };
  return {
    ...question,
    projection: readProjection(filter.$projection),
    expand: readExpand(kind, filter.$expand),
    page: readPage(ctx, tenant, question, filter),
  };
}
