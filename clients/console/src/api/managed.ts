import { get, ofAccount, send } from './http.ts';

export const SERVICES = ['Location', 'fota'] as const;
export type Service = (typeof SERVICES)[number];

export interface Relation {
  readonly accountName: string;
  readonly paccountName: string;
  readonly skuName: string;
  readonly state: 'added' | 'provisioned' | 'cancelled';
  readonly txid: string;
}
export interface ActionResult {
  readonly status: 'Success' | 'Fail';
  readonly reason: string;
}
export interface Statement {
  readonly skuName: string;
  readonly allowed: number;
  readonly total: number;
  readonly lines: readonly { readonly accountName: string; readonly transactions: number }[];
  readonly next?: number;
}

const pathOf = (accountName: string, service: Service, rest = ''): string =>
  ofAccount(accountName, `/managed-accounts/${service}${rest}`);

export const listManaged = (accountName: string, service: Service, page?: string, signal?: AbortSignal) =>
  get<{ accounts: readonly Relation[]; added: number; provisioned: number; next?: string }>(
    pathOf(accountName, service),
    { page },
    signal,
  );

export const addManaged = (
  accountName: string,
  service: Service,
  addition: { readonly skuName: string; readonly accounts: readonly string[] },
) =>
  send<{ results: readonly (ActionResult & { readonly accountName: string })[] }>(
    'POST',
    pathOf(accountName, service),
    addition,
  );

export const readOwnRelation = (accountName: string, service: Service, signal?: AbortSignal) =>
  get<{ relation: Relation | null }>(pathOf(accountName, service, '/own'), {}, signal);

export const changeOwnRelation = (
  accountName: string,
  service: Service,
  action: 'activate' | 'cancel',
  { paccountName, skuName, txid }: Relation,
) =>
  send<ActionResult>('POST', pathOf(accountName, service, `/own/${action}`), { paccountName, skuName, txid });

export const readStatement = (
  accountName: string,
  service: Service,
  month: string,
  page?: number,
  signal?: AbortSignal,
) => get<Statement>(pathOf(accountName, service, `/statement/${month}`), { page }, signal);
