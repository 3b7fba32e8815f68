import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

export type Session = Answer<'GET /console/v1/session'>;
export type ViewedAccount = Answer<'GET /console/v1/accounts'>['accounts'][number];

export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly operatorKey: string };

export const signIn = (credentials: Credentials) => call('POST /console/v1/sign-in', { body: credentials });
export const signOut = () => call('POST /console/v1/sign-out');
export const readSession = (signal?: AbortSignal) => call('GET /console/v1/session', { signal });

export const listAccounts = (search: string, signal?: AbortSignal) =>
  call('GET /console/v1/accounts', { query: { search: search || undefined }, signal });
