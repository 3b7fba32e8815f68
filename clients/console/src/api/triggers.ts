import type { Answer, Body } from '../../../sdk/index.ts';
import { call } from './client.ts';

const OPTIONS = 'GET /console/v1/accounts/{accountName}/triggers/options';
const PRICE_PLAN = 'GET /console/v1/accounts/{accountName}/triggers/price-plan/{triggerId}';
const CREATE_PRICE_PLAN = 'POST /console/v1/accounts/{accountName}/triggers/price-plan';
const CHANGE_PRICE_PLAN = 'PATCH /console/v1/accounts/{accountName}/triggers/price-plan/{triggerId}';
const USAGE = 'GET /console/v1/accounts/{accountName}/triggers/usage';
const CREATE_USAGE = 'POST /console/v1/accounts/{accountName}/triggers/usage';
const CHANGE_USAGE = 'PATCH /console/v1/accounts/{accountName}/triggers/usage/{triggerId}';
const BACKTEST = 'POST /console/v1/accounts/{accountName}/triggers/backtest';
const FIRINGS = {
  'price-plan': 'GET /console/v1/accounts/{accountName}/triggers/price-plan/{triggerId}/firings',
  usage: 'GET /console/v1/accounts/{accountName}/triggers/usage/{triggerId}/firings',
} as const;
const DELETE = {
  'price-plan': 'DELETE /console/v1/accounts/{accountName}/triggers/price-plan/{triggerId}',
  usage: 'DELETE /console/v1/accounts/{accountName}/triggers/usage/{triggerId}',
} as const;
const JUDGE = {
  approve: 'POST /console/v1/accounts/{accountName}/triggers/firings/{firingId}/approve',
  reject: 'POST /console/v1/accounts/{accountName}/triggers/firings/{firingId}/reject',
} as const;

/** An object of the form whose members are the service's to check. */
export type Content = Readonly<Record<string, unknown>>;
export type TriggerKind = keyof typeof FIRINGS;
export type TriggerOptions = Answer<typeof OPTIONS>;
export type PricePlanTrigger = Answer<typeof PRICE_PLAN>;
export type PricePlanBody = Body<typeof CREATE_PRICE_PLAN>;
export type UsageTrigger = Answer<typeof USAGE>['triggers'][number];
export type UsageBody = Body<typeof CREATE_USAGE>;
export type TriggerFiring = Answer<(typeof FIRINGS)['price-plan']>['firings'][number];
export type TriggerAction = TriggerFiring['actions'][number];
export type PastFiring = Answer<typeof BACKTEST>['firings'][number];

export const readTriggerOptions = (accountName: string, signal?: AbortSignal) =>
  call(OPTIONS, { path: { accountName }, signal });

export const listPricePlanTriggers = (accountName: string, page?: string, signal?: AbortSignal) =>
  call('GET /console/v1/accounts/{accountName}/triggers/price-plan', {
    path: { accountName },
    query: { page },
    signal,
  });

export const readPricePlanTrigger = (accountName: string, triggerId: string, signal?: AbortSignal) =>
  call(PRICE_PLAN, { path: { accountName, triggerId }, signal });

export const createPricePlanTrigger = (accountName: string, body: PricePlanBody) =>
  call(CREATE_PRICE_PLAN, { path: { accountName }, body });

export const changePricePlanTrigger = (
  accountName: string,
  triggerId: string,
  change: Body<typeof CHANGE_PRICE_PLAN>,
) => call(CHANGE_PRICE_PLAN, { path: { accountName, triggerId }, body: change });

export const listUsageTriggers = (accountName: string, signal?: AbortSignal) =>
  call(USAGE, { path: { accountName }, signal });

export const createUsageTrigger = (accountName: string, body: UsageBody) =>
  call(CREATE_USAGE, { path: { accountName }, body });

export const changeUsageTrigger = (accountName: string, triggerId: string, body: Body<typeof CHANGE_USAGE>) =>
  call(CHANGE_USAGE, { path: { accountName, triggerId }, body });

export const deleteTrigger = async (accountName: string, kind: TriggerKind, triggerId: string) => {
  await call(DELETE[kind], { path: { accountName, triggerId } });
};

export const listFirings = (
  accountName: string,
  { kind, triggerId }: { readonly kind: TriggerKind; readonly triggerId: string },
  page?: string,
  signal?: AbortSignal,
) => call(FIRINGS[kind], { path: { accountName, triggerId }, query: { page }, signal });

export const judgeFiring = (accountName: string, firingId: string, word: keyof typeof JUDGE) =>
  call(JUDGE[word], { path: { accountName, firingId } });

export const backtest = (
  accountName: string,
  pricePlanTrigger: PricePlanBody['pricePlanTrigger'],
  period: Body<typeof BACKTEST>['period'],
) => call(BACKTEST, { path: { accountName }, body: { pricePlanTrigger, period } });
