import type { Answer } from '../../../sdk/index.ts';
import { readCallbacks } from './callbacks.ts';
import { call, nextOf, request, statusOf } from './client.ts';
import { countDevices } from './devices.ts';
import { importFleet } from './fleet.ts';
import { listUsageTriggers } from './triggers.ts';

const ACCOUNTS = 'GET /operator/v1/accounts';
/** Deleting a large fleet takes a while. */
const DELETE_MS = 16 * 60_000;
/** Most users named among those who lose an account. */
const NAMED_MAX = 5;

export type Account = Answer<typeof ACCOUNTS>[number];
export type AccountEntry = Pick<Account, 'accountName'> & {
  [Field in keyof Account]?: NonNullable<Account[Field]>;
};

export async function listAccounts(search: string, page?: string, signal?: AbortSignal) {
  const { data, headers } = await request(ACCOUNTS, { query: { search: search || undefined, page }, signal });
  return { accounts: data, ...nextOf(headers) };
}

const isThere = (accountName: string): Promise<boolean> =>
  call('GET /operator/v1/accounts/{accountName}', { path: { accountName } }).then(
    () => true,
    (error) => {
      if (statusOf(error) === 404) return false;
      throw error;
    },
  );

/** False if an account with this name exists, which then stays unchanged. */
export async function createAccount(entry: AccountEntry & Pick<Account, 'ecpdId'>): Promise<boolean> {
  if (await isThere(entry.accountName)) return false;
  await importFleet({ profiles: [{ ecpdId: entry.ecpdId }], accounts: [entry] });
  return true;
}

export const changeAccount = (entry: AccountEntry) => importFleet({ accounts: [entry] });

/** The objects that are deleted with an account. */
export async function readBelongings(accountName: string, signal?: AbortSignal) {
  const [devices, users, { listeners }, triggers] = await Promise.all([
    countDevices(accountName, {}, signal),
    call('GET /operator/v1/users', { query: { accountName, limit: NAMED_MAX + 1 }, signal }),
    readCallbacks(accountName, signal),
    listUsageTriggers(accountName, signal),
  ]);
  return {
    devices,
    users: users.slice(0, NAMED_MAX).map(({ username }) => username),
    hasMoreUsers: users.length > NAMED_MAX,
    listeners: listeners.length,
    usageTriggers: triggers.length,
  };
}
export type Belongings = Awaited<ReturnType<typeof readBelongings>>;

export const deleteAccount = (accountName: string) =>
  call('DELETE /operator/v1/accounts/{accountName}', { path: { accountName }, timeoutMs: DELETE_MS });

const CUSTOMERS = 'GET /operator/v1/customers';
const CUSTOMER = 'GET /operator/v1/customers/{ecpdId}';
/** Devices are counted up to this number. */
export const LINES_COUNTED = 100_000;

export type Customer = Answer<typeof CUSTOMERS>[number];
export type WholeCustomer = Answer<typeof CUSTOMER>;

export async function listCustomers(page?: string, signal?: AbortSignal) {
  const { data, headers } = await request(CUSTOMERS, { query: { page }, signal });
  return { customers: data, ...nextOf(headers) };
}

/** Null if the customer no longer exists. */
export const readCustomer = (ecpdId: string, signal?: AbortSignal): Promise<WholeCustomer | null> =>
  call(CUSTOMER, { path: { ecpdId }, signal }).catch((error) => {
    if (statusOf(error) === 404) return null;
    throw error;
  });

export const deleteCustomer = (ecpdId: string) =>
  call('DELETE /operator/v1/customers/{ecpdId}', { path: { ecpdId } });
