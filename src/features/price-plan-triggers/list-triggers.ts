import { isUuid, UUID_SHAPE } from '../../kernel/uuid.ts';
import type { Ctx, Principal } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { Query } from '../../platform/db/sql.ts';
import { profileOf } from './check-content.ts';
import { pricePlanTriggerFaults } from './errors.ts';
import { viewerOf } from './price-plan-trigger.ts';
import { findProfileOf } from './sql.ts';
import { hasId, type ListedTrigger, type ListPosition, listTriggers, PAGE_MAX } from './sql-list.ts';
import { listVersions } from './sql-version.ts';

/** A text that cannot be an id is not found. */
export const idOf = (text: string): string =>
  isUuid(text) ? text.toLowerCase() : refuse(pricePlanTriggerFaults.notFound);

/** A trigger that the caller may not see is not found, like an unknown one. */
export async function findOwnProfile(
  { db }: Ctx,
  user: Principal,
  triggerId: string,
  ecpdId?: string,
): Promise<string> {
  const viewer = viewerOf(user);
  const profiles = ecpdId === undefined ? viewer.profiles : [profileOf(user, ecpdId)];
  return (
    (await findProfileOf(db, { ...viewer, profiles }, triggerId)) ?? refuse(pricePlanTriggerFaults.notFound)
  );
}

export interface PageQuery {
  readonly limit?: number;
  readonly page?: string;
}

const POSITION = new RegExp(String.raw`^(\d{1,15}) (${UUID_SHAPE}) ([0-9A-Za-z-]{1,32})$`);

const writePosition = ({ createdAt, triggerId, ecpdId }: ListPosition): string =>
  Buffer.from(`${createdAt.getTime()} ${triggerId} ${ecpdId}`).toString('base64url');

function parsePosition(page: string): ListPosition {
  const [, ms, triggerId, ecpdId] = POSITION.exec(Buffer.from(page, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || triggerId === undefined || ecpdId === undefined)
    return refuse(pricePlanTriggerFaults.invalidPage);
  return { createdAt: new Date(Number(ms)), triggerId, ecpdId };
}

/** `next` is where the list continues, if it does. */
export async function listTriggersOf(
  { db }: Ctx,
  user: Principal,
  where: Query,
  { limit = PAGE_MAX, page }: PageQuery,
): Promise<{ triggers: readonly ListedTrigger[]; next: string | undefined }> {
  const after = page === undefined ? undefined : parsePosition(page);
  const found = await listTriggers(db, viewerOf(user), { where, after, limit: limit + 1 });
  const triggers = found.slice(0, limit);
  const last = triggers.at(-1);
  const next = last !== undefined && last.found > triggers.length ? writePosition(last) : undefined;
  return { triggers, next };
}

/** A list with one entry, as clients expect it. */
export async function findOwnTrigger(
  { db }: Ctx,
  user: Principal,
  id: string,
): Promise<readonly ListedTrigger[]> {
  const found = await listTriggers(db, viewerOf(user), { where: hasId(idOf(id)), limit: PAGE_MAX });
  return found.length > 0 ? found : refuse(pricePlanTriggerFaults.notFound);
}

const VERSIONS_PAGE = 100;
const NEWEST = 2 ** 31 - 1;

export async function listVersionsOf(
  ctx: Ctx,
  user: Principal,
  id: string,
  { before = NEWEST, limit = VERSIONS_PAGE }: { readonly before?: number; readonly limit?: number },
) {
  const triggerId = idOf(id);
  const ecpdId = await findOwnProfile(ctx, user, triggerId);
  return listVersions(ctx.db, viewerOf(user), { ecpdId, triggerId }, { before, limit });
}
