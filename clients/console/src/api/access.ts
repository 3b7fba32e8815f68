import type { Answer, Body } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';
import { importFleet } from './fleet.ts';

const USERS = 'GET /operator/v1/users';
const CLIENTS = 'GET /operator/v1/clients';
const NEW_KEY = 'POST /operator/v1/keys';
const USER_SWITCHES = {
  disable: 'POST /operator/v1/users/{username}/disable',
  enable: 'POST /operator/v1/users/{username}/enable',
  unlock: 'POST /operator/v1/users/{username}/unlock',
} as const;
const CLIENT_SWITCHES = {
  disable: 'POST /operator/v1/clients/{clientId}/disable',
  enable: 'POST /operator/v1/clients/{clientId}/enable',
} as const;

export type User = Answer<typeof USERS>[number];
export type Client = Answer<typeof CLIENTS>[number];
export type OperatorKey = Answer<'GET /operator/v1/keys'>[number];
export type Scope = Body<typeof NEW_KEY>['scopes'][number];
export type UserSwitch = keyof typeof USER_SWITCHES;
export type ClientSwitch = keyof typeof CLIENT_SWITCHES;

export async function listUsers(search: string, page?: string, signal?: AbortSignal) {
  const query = { search: search || undefined, page };
  const { data, headers } = await request(USERS, { query, signal });
  return { users: data, ...nextOf(headers) };
}

export const switchUser = (username: string, what: UserSwitch) =>
  call(USER_SWITCHES[what], { path: { username } });

/** Sets a new password, which is shown once. */
export const resetPassword = async (username: string): Promise<string> =>
  (await call('POST /operator/v1/users/{username}/password', { path: { username } })).newPassword;

/** Undefined if a user with this name exists, who then stays unchanged. */
export async function createUser(username: string, accounts: readonly string[]): Promise<string | undefined> {
  const { users } = await listUsers(username);
  if (users.some((user) => user.username === username)) return undefined;
  await importFleet({ users: [{ username, accounts }] });
  return resetPassword(username);
}

/** Replaces the whole list; the first is the home account. */
export const setAccounts = (username: string, accounts: readonly string[]) =>
  importFleet({ users: [{ username, accounts }] });

export async function listClients(search: string, page?: string, signal?: AbortSignal) {
  const query = { search: search || undefined, page };
  const { data, headers } = await request(CLIENTS, { query, signal });
  return { clients: data, ...nextOf(headers) };
}

export const switchClient = (clientId: string, what: ClientSwitch) =>
  call(CLIENT_SWITCHES[what], { path: { clientId } });

/** Creates a new secret, which is shown once. */
export const rotateSecret = async (clientId: string, atOnce: boolean): Promise<string> =>
  (await call('POST /operator/v1/clients/{clientId}/rotate', { path: { clientId }, body: { atOnce } }))
    .clientSecret;

/** Undefined if an application with this name exists, which then stays unchanged. */
export async function createClient(clientId: string): Promise<string | undefined> {
  const { clients } = await listClients(clientId);
  if (clients.some((client) => client.clientId === clientId)) return undefined;
  await importFleet({ clients: [{ clientId }] });
  return rotateSecret(clientId, true);
}

export const listKeys = (signal?: AbortSignal) => call('GET /operator/v1/keys', { signal });
export const createKey = (body: Body<typeof NEW_KEY>) => call(NEW_KEY, { body });
export const deleteKey = (name: string) => call('DELETE /operator/v1/keys/{name}', { path: { name } });
