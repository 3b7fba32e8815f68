import type { Answer, Body, Input } from '../../../sdk/index.ts';
import { call } from './client.ts';

const MANAGED = 'GET /console/v1/accounts/{accountName}/managed-accounts/{serviceName}';
const ADD = 'POST /console/v1/accounts/{accountName}/managed-accounts/{serviceName}';
const TAKE_BACK = 'POST /console/v1/accounts/{accountName}/managed-accounts/{serviceName}/take-back';
const ACTIVATE = 'POST /console/v1/accounts/{accountName}/managed-accounts/{serviceName}/own/activate';
const CANCEL = 'POST /console/v1/accounts/{accountName}/managed-accounts/{serviceName}/own/cancel';
const STATEMENT = 'GET /console/v1/accounts/{accountName}/managed-accounts/{serviceName}/statement/{month}';

export type Service = Input<typeof MANAGED>['path']['serviceName'];
export const SERVICES = ['Location', 'fota'] as const satisfies readonly Service[];
export type Relation = Answer<typeof MANAGED>['accounts'][number];
export type ActionResult = Pick<Answer<typeof ACTIVATE>, 'status' | 'reason'>;
export type Statement = Answer<typeof STATEMENT>;

export const listManaged = (accountName: string, serviceName: Service, page?: string, signal?: AbortSignal) =>
  call(MANAGED, { path: { accountName, serviceName }, query: { page }, signal });

export const addManaged = (accountName: string, serviceName: Service, addition: Body<typeof ADD>) =>
  call(ADD, { path: { accountName, serviceName }, body: addition });

export const takeBack = (
  accountName: string,
  serviceName: Service,
  { accountName: managed, skuName, txid }: Relation,
) => call(TAKE_BACK, { path: { accountName, serviceName }, body: { accountName: managed, skuName, txid } });

export const readOwnRelations = (accountName: string, serviceName: Service, signal?: AbortSignal) =>
  call('GET /console/v1/accounts/{accountName}/managed-accounts/{serviceName}/own', {
    path: { accountName, serviceName },
    signal,
  });

export const changeOwnRelation = (
  accountName: string,
  serviceName: Service,
  action: 'activate' | 'cancel',
  { paccountName, skuName, txid }: Relation,
) =>
  call(action === 'activate' ? ACTIVATE : CANCEL, {
    path: { accountName, serviceName },
    body: { paccountName, skuName, txid },
  });

export const readStatement = (
  accountName: string,
  serviceName: Service,
  month: string,
  page?: number,
  signal?: AbortSignal,
) => call(STATEMENT, { path: { accountName, serviceName, month }, query: { page }, signal });
