import type { Answer } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';
import { importFleet } from './fleet.ts';

const PLANS = 'GET /operator/v1/plans';
const GROUPS = 'GET /operator/v1/rate-plan-groups';
/** Deleting a plan may scan all lines. */
const DELETE_MS = 6 * 60_000;
/** The page limit of the API. */
const PAGE_MAX = 1_000;

export type Plan = Answer<typeof PLANS>[number];
export type PlanEntry = Pick<Plan, 'code'> & { [Field in keyof Plan]?: NonNullable<Plan[Field]> };
export type Group = Answer<typeof GROUPS>[number];
export type GroupEntry = Omit<Group, 'accountCount'>;

export async function listPlans(page?: string, signal?: AbortSignal, limit?: number) {
  const { data, headers } = await request(PLANS, { query: { page, limit }, signal });
  return { plans: data, ...nextOf(headers) };
}

export async function listGroups(ecpdId: string, page?: string, signal?: AbortSignal, limit?: number) {
  const query = { ecpdId: ecpdId || undefined, page, limit };
  const { data, headers } = await request(GROUPS, { query, signal });
  return { groups: data, ...nextOf(headers) };
}

/** Searches a list page by page; the catalogue and the groups of one customer are short. */
async function has<Page extends { readonly next?: string }>(
  read: (page: string | undefined) => Promise<Page>,
  fits: (page: Page) => boolean,
): Promise<boolean> {
  let page: string | undefined;
  do {
    const found = await read(page);
    if (fits(found)) return true;
    page = found.next;
  } while (page !== undefined);
  return false;
}

/** False if a plan with this code exists, which then stays unchanged. */
export async function createPlan(plan: PlanEntry): Promise<boolean> {
  const isKnown = await has(
    (page) => listPlans(page, undefined, PAGE_MAX),
    ({ plans }) => plans.some(({ code }) => code === plan.code),
  );
  if (!isKnown) await importFleet({ plans: [plan] });
  return !isKnown;
}

export const changePlan = (plan: PlanEntry) => importFleet({ plans: [plan] });

/** False if the customer has a group with this number, which then stays unchanged. */
export async function createGroup(group: GroupEntry): Promise<boolean> {
  const isKnown = await has(
    (page) => listGroups(group.ecpdId, page, undefined, PAGE_MAX),
    ({ groups }) => groups.some(({ ratePlanGroupId }) => ratePlanGroupId === group.ratePlanGroupId),
  );
  if (!isKnown) await importFleet({ ratePlanGroups: [group] });
  return !isKnown;
}

/** Replaces both lists completely. */
export const changeGroup = (group: GroupEntry) => importFleet({ ratePlanGroups: [group] });

export const deletePlan = (code: string) =>
  call('DELETE /operator/v1/plans/{code}', { path: { code }, timeoutMs: DELETE_MS });
export const deleteGroup = (path: Pick<Group, 'ecpdId' | 'ratePlanGroupId'>) =>
  call('DELETE /operator/v1/rate-plan-groups/{ecpdId}/{ratePlanGroupId}', { path, timeoutMs: DELETE_MS });
