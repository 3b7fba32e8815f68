import { get, send } from './http.ts';

export interface Session {
  readonly kind: 'user' | 'operator';
  readonly name: string;
  readonly scopes: readonly string[];
  readonly homeAccount: string | null;
  readonly sandbox: boolean;
  readonly version: string;
  readonly now: string;
}

export interface ViewedAccount {
  readonly accountName: string;
  readonly organizationName: string | null;
}

export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly operatorKey: string };

export const signIn = (credentials: Credentials) =>
  send<{ success: boolean }>('POST', '/sign-in', credentials);
export const signOut = () => send<{ success: boolean }>('POST', '/sign-out');
export const readSession = (signal?: AbortSignal) => get<Session>('/session', {}, signal);

export const listAccounts = (search: string, signal?: AbortSignal) =>
  get<{ accounts: readonly ViewedAccount[]; next?: string }>('/accounts', { search }, signal);
