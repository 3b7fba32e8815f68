import type { FastifyInstance, InjectOptions } from 'fastify';
import type { World } from './world.ts';

export const ACCOUNT = '0000123456-00001';
/** Managed by ACCOUNT, in the same profile. */
export const MANAGED = '0000123456-00002';
/** Another customer's. */
export const STRANGER = '0000999999-00009';
export const CLIENT = { clientId: 'app', clientSecret: 'app-secret-1' };
export const USER = { username: 'ws-user', password: 'ws-user-password' };
export const STRANGER_USER = { username: 'stranger', password: 'stranger-password' };

/** A small fleet of two customers. */
export const SMALL_FLEET = {
  profiles: [{ ecpdId: '9000001' }, { ecpdId: '9000009' }],
  accounts: [
    {
      accountName: ACCOUNT,
      ecpdId: '9000001',
      organizationName: 'Acme',
      locationRegistered: true,
      aggregatedBilling: true,
    },
    { accountName: MANAGED, ecpdId: '9000001', aggregatedBilling: true },
    { accountName: STRANGER, ecpdId: '9000009', locationRegistered: true },
  ],
  clients: [CLIENT],
  users: [
    { ...USER, accounts: [ACCOUNT] },
    { ...STRANGER_USER, accounts: [STRANGER] },
  ],
  plans: [{ code: 'P-5MB', name: '5 MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880 }],
  devices: [
    { accountName: ACCOUNT, imei: '990000000000011', mdn: '5550100001', servicePlan: 'P-5MB' },
    { accountName: STRANGER, imei: '990000000000029', mdn: '5550100002', servicePlan: 'P-5MB' },
  ],
};

export const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

export async function bearer(api: FastifyInstance, client = CLIENT): Promise<string> {
  const answer = await api.inject({
    method: 'POST',
    url: '/api/ts/v1/oauth2/token',
    headers: { authorization: basic(client), 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials',
  });
  if (answer.statusCode !== 200) throw new Error(`no token: ${answer.body}`);
  return answer.json().access_token;
}

export async function logIn(api: FastifyInstance, token: string, user: object = USER): Promise<string> {
  const answer = await api.inject({
    method: 'POST',
    url: '/api/m2m/v1/session/login',
    headers: { authorization: `Bearer ${token}` },
    payload: user,
  });
  if (answer.statusCode !== 200) throw new Error(`no session: ${answer.body}`);
  return answer.json().sessionToken;
}

/** A caller with both tokens. */
export async function asUser({ api }: Pick<World, 'api'>, user: object = USER) {
  const token = await bearer(api);
  const sessionToken = await logIn(api, token, user);
  const headers = { authorization: `Bearer ${token}`, 'svc-m2m-token': sessionToken };
  const call = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    api.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `/api${path}`,
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { token, sessionToken, headers, call };
}
