import { fileURLToPath } from 'node:url';
import { lockDataDir, startEmbeddedPostgres } from '../../embedded-postgres/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { makeDataDir, removeDataDir } from '../../test/support/service-process.ts';
import { startService } from './service.ts';
import { FED_TABLES } from './usage-bare.ts';
import { fillFleet } from './usage-fleet.ts';

export interface FeedScene {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly url: string;
  /** Removes all fed data. */
  readonly startOver: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A fleet in its own database, and a process that accepts feeds. Jobs for workers wait, unless `role` includes them. */
export async function startFeedScene(
  devices: number,
  role = 'api',
  env: Record<string, string> = {},
): Promise<FeedScene> {
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(
    postgres.url,
    await readMigrations(fileURLToPath(new URL('../../migrations/', import.meta.url))),
  );
  const db = openDatabase(postgres.url, { connections: 5, statementTimeoutMs: 3_600_000 });
  await fillFleet(db, devices);
  const service = await startService(postgres.url, { LINEKEEPER_ROLE: role, ...env });
  return {
    db,
    databaseUrl: postgres.url,
    url: service.url,
    async startOver() {
      for (const table of FED_TABLES) await db.exec({ text: `truncate ${table}`, values: [] });
      await db.exec(sql`truncate firing, trigger_action, carrier_request, callback_message cascade`);
      // Keeps the recurring jobs of the service itself.
      await db.exec(sql`delete from job where ecpd_id in (select ecpd_id from profile)`);
      await db.exec(sql`truncate callback_pending`);
      await db.exec(sql`checkpoint`);
    },
    async stop() {
      await service.stop();
      await db.close();
      await postgres.stop();
      await lock.release();
      removeDataDir(dataDir);
    },
  };
}
