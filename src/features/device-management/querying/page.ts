import { createHash } from 'node:crypto';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import { PAGE_DEFAULT, UNPAGED_MAX } from '../limits.ts';
import type { Filter } from './schemas.ts';

export interface Page {
  readonly limit: number;
  readonly skip: number;
  /** The sort key of the last record of the previous page. */
  readonly after: string | undefined;
}

/** Identifies the query: a page token is valid only for the query that it came from. */
export interface Question {
  readonly of: string;
  readonly criteria: unknown;
}

const contextOf = ({ accountName }: Tenant, { of, criteria }: Question): string =>
  `dm page of ${of} in ${accountName}: ${createHash('sha256')
    .update(JSON.stringify(criteria))
    .digest('base64url')}`;

export const sealPage = ({ secrets }: Ctx, tenant: Tenant, question: Question, place: string): string =>
  secrets.sealShown(place, contextOf(tenant, question));

function openPage({ secrets }: Ctx, tenant: Tenant, question: Question, sealed: string): string {
  try {
    return secrets.open(sealed, contextOf(tenant, question));
  } catch {
    return refuse(recordFaults.badPage, { cause: 'filter.$page' });
  }
}

export function readPage(ctx: Ctx, tenant: Tenant, question: Question, filter: Filter): Page {
  const limit = filter.$nopagination === true ? UNPAGED_MAX : (filter.$limitnumber ?? PAGE_DEFAULT);
  const after = filter.$page === undefined ? undefined : openPage(ctx, tenant, question, filter.$page);
  const skipsPages = after === undefined && filter.$nopagination !== true;
  return { limit, after, skip: skipsPages ? ((filter.$pagenumber ?? 1) - 1) * limit : 0 };
}
