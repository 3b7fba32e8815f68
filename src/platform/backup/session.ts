import pg from 'pg';
import { sayGoodbye } from '../db/goodbye.ts';
import { KEEP_ALIVE } from '../db/keep-alive.ts';
import { BackupError } from './errors.ts';

/** The same value has the same text on every server, however that one is set up. */
const TEXT_SETTINGS = `set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set bytea_output = 'hex'; set extra_float_digits = 3; set client_encoding = 'UTF8'; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s'`;
const CONNECT_MS = 5_000;

/** One connection of its own: everything happens in one transaction. */
export async function withSession<T>(
  url: string,
  name: 'backup' | 'restore',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
    application_name: `linekeeper-${name}`,
  });
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw new BackupError(`The database cannot be reached: ${error.message}.`, { cause: error });
  });
  try {
    await client.query(TEXT_SETTINGS);
    return await work(client);
  } finally {
    await sayGoodbye(client);
  }
}
