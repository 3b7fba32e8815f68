import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const ACCOUNTS = 'GET /console/v1/accounts';

export type Session = Answer<'GET /console/v1/session'>;
export type ViewedAccount = Answer<typeof ACCOUNTS>['accounts'][number];

export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly operatorKey: string };

export const signIn = (credentials: Credentials) => call('POST /console/v1/sign-in', { body: credentials });
export const signOut = () => call('POST /console/v1/sign-out');
export const readSession = (signal?: AbortSignal) => call('GET /console/v1/session', { signal });

export const listAccounts = (search: string, signal?: AbortSignal) =>
  call(ACCOUNTS, { query: { search: search || undefined }, signal });

/** Includes the usage of each account, which takes a count. */
export async function listAccountUsage(page: string | undefined, signal?: AbortSignal) {
  const { accounts, next } = await call(ACCOUNTS, { query: { usage: true, page }, signal });
  return {
    accounts: accounts.flatMap(({ usage, ...account }) =>
      usage === undefined ? [] : { ...account, ...usage },
    ),
    next,
  };
}
export type AccountUsage = Awaited<ReturnType<typeof listAccountUsage>>['accounts'][number];
