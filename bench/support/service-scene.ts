import pg from 'pg';
import { basic, CLIENT, USER } from '../../test/support/fleet.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../../test/support/service-process.ts';
import { startBenchPostgres } from './bench-postgres.ts';

const OPERATOR_KEY = 'operator-key-for-the-bench';

export interface ServiceScene {
  /** With the base path. */
  readonly url: string;
  readonly databaseUrl: string;
  /** For filling tables: a commit does not wait for the disk. */
  readonly client: pg.Client;
  /** As the user of the fleet, with both tokens; refuses to go on after a refusal. */
  post(
    path: string,
    body: object,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** The service as a process on a database of its own, with a fleet, and a user who has logged in. */
export async function openServiceScene(name: string, fleet: object): Promise<ServiceScene> {
  const postgres = await startBenchPostgres();
  const databaseUrl = await postgres.createDatabase(name);
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: databaseUrl,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOG_LEVEL: 'warn',
  });
  const send = async (path: string, headers: Record<string, string>, body: string | URLSearchParams) => {
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  await send('/operator/v1/import', { authorization: `Bearer ${OPERATOR_KEY}` }, JSON.stringify(fleet));
  const grant = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = await send('/ts/v1/oauth2/token', { authorization: basic(CLIENT) }, grant);
  const authorization = `Bearer ${token.body['access_token']}`;
  const login = await send('/m2m/v1/session/login', { authorization }, JSON.stringify(USER));
  const headers = { authorization, 'svc-m2m-token': String(login.body['sessionToken']) };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`set synchronous_commit = off`);
  await client.query(`set maintenance_work_mem = '256MB'`);
  return {
    url: service.url,
    databaseUrl,
    client,
    post: (path, body) => send(path, headers, JSON.stringify(body)),
    async close() {
      await client.end();
      await service.stop();
      await postgres.stop();
      removeDataDir(service.dataDir);
    },
  };
}
