import type { Answer, Body } from '../../../sdk/index.ts';
import { call, callFor, nextOf, request } from './client.ts';

const OPTIONS = 'GET /console/v1/accounts/{accountName}/triggers/options';
const USAGE = 'GET /subsc/v1/usage/accounts/{accountName}/triggers';
const PRICE_PLAN = 'GET /m2m/v2/triggers/{triggerId}';
const CREATE_PRICE_PLAN = 'POST /m2m/v2/triggers';
const CREATE_USAGE = 'POST /subsc/v1/usage/triggers';
const BACKTEST = 'POST /m2m/v2/triggers/actions/backtest';
const PAST_USE = 'POST /m2m/v2/triggers/actions/past-use';
const FIRINGS = 'GET /m2m/v2/triggers/{triggerId}/firings';
const DECIDE = {
  approve: 'POST /m2m/v2/triggers/firings/{firingId}/approve',
  reject: 'POST /m2m/v2/triggers/firings/{firingId}/reject',
} as const;

/** An object from the form; the service checks its members. */
export type Content = Readonly<Record<string, unknown>>;
export type TriggerKind = 'price-plan' | 'usage';
export type TriggerOptions = Answer<typeof OPTIONS>;
export type PricePlanTrigger = Answer<typeof PRICE_PLAN>['triggers'][number];
export type PricePlanBody = Omit<Body<typeof CREATE_PRICE_PLAN>, 'ecpdId' | 'triggerCategory'>;
export type UsageTrigger = Answer<typeof CREATE_USAGE>;
export type UsageBody = Omit<Body<typeof CREATE_USAGE>, 'accountName'>;
export type TriggerFiring = Answer<typeof FIRINGS>['firings'][number];
export type TriggerAction = TriggerFiring['actions'][number];
export type PastUse = NonNullable<Answer<typeof PAST_USE>['use']>;
export type PastFiring = Answer<typeof BACKTEST>['firings'][number];

export const readTriggerOptions = (accountName: string, signal?: AbortSignal) =>
  call(OPTIONS, { path: { accountName }, signal });

/** A price plan trigger belongs to a profile, not to an account. */
const ownerOf = async (accountName: string) => {
  const { ecpdId } = await readTriggerOptions(accountName);
  return { ecpdId, triggerCategory: 'PricePlanDataUsage' as const };
};

export async function listPricePlanTriggers(accountName: string, page?: string, signal?: AbortSignal) {
  const { data, headers } = await request('GET /m2m/v2/triggers/accounts/{accountName}', {
    path: { accountName },
    query: { page },
    signal,
  });
  return { triggers: data.triggers, ...nextOf(headers) };
}

export async function readPricePlanTrigger(accountName: string, triggerId: string, signal?: AbortSignal) {
  const { triggers } = await call(PRICE_PLAN, { path: { triggerId }, ...callFor(accountName), signal });
  return triggers[0]!;
}

export const createPricePlanTrigger = async (accountName: string, body: PricePlanBody) =>
  call(CREATE_PRICE_PLAN, { body: { ...body, ...(await ownerOf(accountName)) }, ...callFor(accountName) });

export const changePricePlanTrigger = async (
  accountName: string,
  triggerId: string,
  change: Partial<PricePlanBody>,
) =>
  call('PUT /m2m/v2/triggers', {
    body: { ...change, triggerId, ...(await ownerOf(accountName)) },
    ...callFor(accountName),
  });

/** With the dates of each: the query asks for them. */
export const listUsageTriggers = async (accountName: string, signal?: AbortSignal) =>
  (await call(USAGE, { path: { accountName }, query: { dates: true }, signal })) as UsageTrigger[];

export const createUsageTrigger = (accountName: string, body: UsageBody) =>
  call(CREATE_USAGE, { body: { ...body, accountName } });

export const changeUsageTrigger = (accountName: string, triggerId: string, body: Partial<UsageBody>) =>
  call('POST /subsc/v1/usage/triggers/{triggerId}', { path: { triggerId }, body: { ...body, accountName } });

export const deleteTrigger = async (accountName: string, kind: TriggerKind, triggerId: string) => {
  if (kind === 'price-plan')
    await call('DELETE /m2m/v2/triggers/{triggerId}', { path: { triggerId }, ...callFor(accountName) });
  else
    await call('DELETE /subsc/v1/usage/accounts/{accountName}/triggers/{triggerId}', {
      path: { accountName, triggerId },
    });
};

const FIRINGS_PAGE = 100;

/** Newest first; firings of usage triggers only notify. */
export async function listFirings(
  accountName: string,
  { kind, triggerId }: { readonly kind: TriggerKind; readonly triggerId: string },
  before?: string,
  signal?: AbortSignal,
): Promise<{ readonly firings: readonly TriggerFiring[]; readonly next?: string | undefined }> {
  const query = { limit: FIRINGS_PAGE, before };
  const firings =
    kind === 'price-plan'
      ? (await call(FIRINGS, { path: { triggerId }, query, ...callFor(accountName), signal })).firings
      : (
          await call('GET /subsc/v1/usage/accounts/{accountName}/triggers/{triggerId}/firings', {
            path: { accountName, triggerId },
            query,
            signal,
          })
        ).map((firing) => ({ ...firing, actions: [] }));
  return { firings, next: firings.length === FIRINGS_PAGE ? firings.at(-1)?.firingId : undefined };
}

export const decideFiring = (accountName: string, firingId: string, word: keyof typeof DECIDE) =>
  call(DECIDE[word], { path: { firingId }, ...callFor(accountName) });

/** The current rule, saved or not, and the days of the back-test. */
export interface Trial {
  readonly rule: PricePlanBody['pricePlanTrigger'];
  readonly period: Body<typeof BACKTEST>['period'];
}

export const backtest = async (accountName: string, { rule, period }: Trial) =>
  call(BACKTEST, {
    body: { pricePlanTrigger: rule, period, ...(await ownerOf(accountName)) },
    ...callFor(accountName),
  });

/** The usage that the rule would have counted for one subject; undefined if there is nothing to count. */
export const readPastUse = async (
  accountName: string,
  { rule, period }: Trial,
  of: Body<typeof PAST_USE>['of'],
  signal?: AbortSignal,
): Promise<PastUse | null> => {
  const body = { pricePlanTrigger: rule, period, ...(of && { of }), ...(await ownerOf(accountName)) };
  return (await call(PAST_USE, { body, ...callFor(accountName), signal })).use ?? null;
};
