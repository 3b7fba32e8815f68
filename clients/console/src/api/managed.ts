import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const MANAGED = 'GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}/relations';
const STATEMENT = 'GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}/statement/{month}';
const CHANGE = {
  activate: 'POST /subsc/v1/managedaccounts/actions/provision',
  cancel: 'POST /subsc/v1/managedaccounts/actions/cancel',
} as const;

export const SERVICES = ['Location', 'fota'] as const;
export type Service = (typeof SERVICES)[number];
export type Relation = Answer<typeof MANAGED>['accounts'][number];
export type Statement = Answer<typeof STATEMENT>;

export const listManaged = (accountName: string, serviceName: Service, page?: string, signal?: AbortSignal) =>
  call(MANAGED, { path: { accountName, serviceName }, query: { page }, signal });

export const addManaged = (
  accountName: string,
  serviceName: Service,
  { skuName, accounts }: { readonly skuName: string; readonly accounts: readonly string[] },
) =>
  call('POST /subsc/v1/managedaccounts/actions/add', {
    body: { accountName, serviceName, type: skuName, managedAccList: accounts },
  });

/** Both sides use `cancel`: it ends an activation, and withdraws or declines an offer. */
export const changeRelation = (
  serviceName: Service,
  action: keyof typeof CHANGE,
  { accountName, paccountName, skuName, txid }: Relation,
) => call(CHANGE[action], { body: { accountName, paccountName, serviceName, type: skuName, txid } });

export const readStatement = (
  accountName: string,
  serviceName: Service,
  month: string,
  signal?: AbortSignal,
) => call(STATEMENT, { path: { accountName, serviceName, month }, signal });
