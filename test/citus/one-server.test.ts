import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { EndedAttempt } from '../../src/features/callbacks/delivery/ended-attempt.ts';
import { recordAttempts } from '../../src/features/callbacks/delivery/sql-attempts.ts';
import { listDueMessages, listOpenListeners } from '../../src/features/callbacks/delivery/sql-due.ts';
import { claimLanes, listLanes } from '../../src/features/callbacks/delivery/sql-lane.ts';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { insertResends } from '../../src/features/callbacks/messages/sql-resend.ts';
import { keepFixes } from '../../src/features/locations/sql-position.ts';
import { postNotifications } from '../../src/features/notifications/index.ts';
import type { AccountName, EcpdId } from '../../src/kernel/account-name.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { isOnCluster } from '../support/citus.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openTellingConnection } from '../support/telling-connection.ts';
import { makeWorld } from '../support/world.ts';

const ECPD = '9000001' as EcpdId;
const { ctx, databaseUrl, ...world } = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: 'http://127.0.0.1:9000/' }],
});

const { db, staysOnOneWorker, open, close } = openTellingConnection(databaseUrl, ctx.db);

const post = (serviceName: 'AlertService' | 'CarrierService') =>
  postCallbacks(
    { ...ctx, db },
    ECPD,
    [1, 2].map((n) => ({ accountName: ACCOUNT, serviceName, requestId: `r${n}`, payload: { n } })),
  );

const ended = (lane: EndedAttempt['lane'], message: EndedAttempt['message'], status: number) => ({
  ...{ lane, message, startedAt: ctx.now(), outcome: { status, error: null, latencyMs: 1, answer: '' } },
  nextDueAt: undefined,
});

const skip = !isOnCluster() && 'only a cluster has workers';

describe('what is done for one profile stays on its worker', { skip }, () => {
  before(open);
  after(close);

  it('a batch of callbacks, from posting it to what became of it', async () => {
    await staysOnOneWorker(() => post('AlertService'));
    const lanes = await listLanes(ctx.db, { dueBy: ctx.now(), limit: 10 });
    const [lane] = await staysOnOneWorker(() => claimLanes(db, ECPD, lanes, randomUUID()));
    const other = { ...lane!, serviceName: 'CarrierService' };
    const asked = [lane!, other].map((each) => ({ lane: each, after: undefined, limit: 10 }));
    const due = await staysOnOneWorker(() => listDueMessages(db, ECPD, asked, ctx.now()));
    const [first, second] = due[0]!.messages;
    await staysOnOneWorker(() => listOpenListeners(db, ECPD, [lane!]));
    await staysOnOneWorker(() => recordAttempts(db, ECPD, [ended(lane!, first!, 200)]));
    await staysOnOneWorker(() => recordAttempts(db, ECPD, [ended(lane!, second!, 500)]));
    const tenant = { ecpdId: ECPD, accountName: ACCOUNT as AccountName };
    const now = { now: ctx.now(), moveNr: 0 };
    assert.equal(await staysOnOneWorker(() => insertResends(db, tenant, {}, now, 10)), 1);
  });

  it('callbacks that nobody listens to', async () => {
    await staysOnOneWorker(() => post('CarrierService'));
    const failed = await ctx.db.many(
      sql`select 1 from callback_failed where ecpd_id = ${ECPD} and service_name = 'CarrierService'`,
    );
    assert.equal(failed.length, 2);
  });

  it('notifications', async () => {
    await staysOnOneWorker(() =>
      postNotifications({ ...ctx, db }, ECPD, [
        {
          ...{ accountName: ACCOUNT, channel: 'mail', to: ['a@x.example', 'b@x.example'] },
          ...{ dedupeKey: 'k', subject: 's', text: 't' },
        },
      ]),
    );
  });

  it('positions', async () => {
    const { deviceId } = await ctx.db.one<{ deviceId: string }>(
      sql`select device_id as "deviceId" from device where ecpd_id = ${ECPD} order by device_id limit 1`,
    );
    const position = { deviceId, latitude: 1, longitude: 2, radiusM: 3, at: ctx.now() };
    await staysOnOneWorker(() =>
      keepFixes(
        db,
        ECPD,
        [
          { ...position, accuracy: 'coarse' },
          { ...position, accuracy: 'precise' },
        ],
        ctx.now(),
      ),
    );
  });
});
