import pg from 'pg';
import { basic, CLIENT, USER } from '../../test/support/fleet.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { OPERATOR_KEY, startService } from './service.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface ServiceScene {
  readonly service: ServiceProcess;
  /** Including the base path. */
  readonly url: string;
  readonly databaseUrl: string;
  /** For filling tables: its commits do not wait for the disk. */
  readonly client: pg.Client;
  /** Both tokens of the fleet's user. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes a call as that user; throws if it is refused. */
  post(path: string, body: object): Promise<Answer>;
  /** Makes a call with the operator's key. */
  operate(path: string, body: string): Promise<Answer>;
  close(): Promise<void>;
}

async function send(
  url: string,
  headers: Record<string, string>,
  body: string | URLSearchParams,
): Promise<Answer> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Gets a token and a session for the fleet's user, as headers. */
export async function logIn(url: string): Promise<Readonly<Record<string, string>>> {
  const grant = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = await send(`${url}/ts/v1/oauth2/token`, { authorization: basic(CLIENT) }, grant);
  const authorization = `Bearer ${token.body['access_token']}`;
  const login = await send(`${url}/m2m/v1/session/login`, { authorization }, JSON.stringify(USER));
  return { authorization, 'svc-m2m-token': String(login.body['sessionToken']) };
}

/** The service as a process on its own database, with a fleet and a user who has logged in. */
export async function openServiceScene(
  name: string,
  fleet: object,
  env: Record<string, string> = {},
): Promise<ServiceScene> {
  const postgres = await startBenchPostgres();
  const databaseUrl = await postgres.createDatabase(name);
  const service = await startService(databaseUrl, env);
  const operate = (path: string, body: string) =>
    send(`${service.url}/operator/v1${path}`, { authorization: `Bearer ${OPERATOR_KEY}` }, body);
  await operate('/import', JSON.stringify(fleet));
  const headers = await logIn(service.url);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`set synchronous_commit = off`);
  await client.query(`set maintenance_work_mem = '256MB'`);
  return {
    service,
    url: service.url,
    databaseUrl,
    client,
    headers,
    post: (path, body) => send(`${service.url}${path}`, headers, JSON.stringify(body)),
    operate,
    async close() {
      await client.end();
      await service.stop();
      await postgres.stop();
    },
  };
}
