import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDatabase } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { lockNodes } from '../../src/platform/health/nodes.ts';
import { createTestDatabase } from '../support/database.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';

const MONTH_MS = 30 * 86_400_000;
const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 4 });
const dataDir = makeDataDir();
after(async () => {
  await db.close();
  await drop();
  removeDataDir(dataDir);
});

describe('a process that joins while another one moves the clock', () => {
  it('starts at the time to which the clock was last moved', async () => {
    const starting = db.tx(async (tx) => {
      await lockNodes(tx);
      const service = startServiceProcess(dataDir, {
        DATABASE_URL: url,
        LINEKEEPER_MODE: 'sandbox',
        LINEKEEPER_DEMO: 'off',
        LINEKEEPER_LOG_LEVEL: 'silent',
      });
      await untilWaiting(db, { unless: service });
      await tx.exec(sql`insert into domain_clock (offset_ms) values (${MONTH_MS})`);
      return { service };
    });
    const service = await (await starting).service;
    const answer = await fetch(`${service.url}/operator/v1/clock`, {
      headers: { authorization: `Bearer ${service.operatorKey}` },
    });
    const { offsetMs } = (await answer.json()) as { offsetMs: number };
    await service.stop();
    assert.equal(offsetMs, MONTH_MS);
  });
});
