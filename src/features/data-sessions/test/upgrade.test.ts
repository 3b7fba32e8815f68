import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createEmptyDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { withClient } from '../../../../test/support/with-client.ts';
import { readOwnMigrations } from '../../../app/own-migrations.ts';
import { migrate } from '../../../platform/db/migrate.ts';
import { sessionKeyOf } from '../session-report.ts';
import { addReport } from '../session-state.ts';
import { lockSessions } from '../sql-session.ts';

const { url, drop } = await createEmptyDatabase();
after(drop);

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const NOON = Date.parse('2026-01-15T12:00:00Z');
const at = (minute: number) => NOON + minute * 60_000;
const moment = (minute: number | null) =>
  minute === null ? 'null' : `'${new Date(at(minute)).toISOString()}'`;

interface Old {
  readonly key: string;
  readonly sessionId: string;
  readonly chargingId?: number;
  readonly after?: number;
  readonly earlierInput?: number;
  readonly input: number;
  readonly last: number;
  readonly cause?: string;
}

const insert = ({ key, sessionId, chargingId, after: since, earlierInput = 0, input, last, cause }: Old) => `
  insert into data_session (ecpd_id, session_key, nas, session_id, charging_id, account_name, device_id, generation, after_at,
    input, output, earlier_input, earlier_output, last_at, started_at, closed_at, close_cause)
  values ('p', '${key}', 'gw"1', '${sessionId}', ${chargingId ?? 'null'}, 'a', '${uuid(1)}', ${since === undefined ? 1 : 2},
    ${moment(since ?? null)}, ${input}, 7, ${earlierInput}, 0, ${moment(last)}, ${moment(since ?? 0)},
    ${cause === undefined ? 'null, null' : `${moment(last)}, '${cause}'`});`;

const keyOf = (sessionId: string) => sessionKeyOf({ nas: 'gw"1', sessionId });

const OLD = `
  set session_replication_role = replica;
  insert into profile (ecpd_id, foreign_id) values ('p', '${uuid(7)}');
  insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
    location_registered, created_at) values ('p', 'a', 'UTC', 1, false, false, false, now());
  insert into access_server (nas, restarted_at) values ('gw"1', ${moment(0)});
  ${insert({ key: keyOf('open'), sessionId: 'open', input: 500, last: 10 })}
  ${insert({ key: keyOf('again'), sessionId: 'again', after: 10, earlierInput: 900, input: 300, last: 20, cause: 'stop' })}
  ${insert({ key: uuid(2), sessionId: 'charged', chargingId: 77, input: 400, last: 10, cause: 'idle timeout' })}
  ${insert({ key: uuid(3), sessionId: 'charged', chargingId: 78, input: 100, last: 20 })}`;

// proves usage/sessions-without-charging-ids
it('an upgrade lets open sessions go on, and counts nothing again', async () => {
  const all = await readOwnMigrations();
  await migrate(
    url,
    all.filter(({ name }) => name < '0066'),
  );
  await withClient(url, (client) => client.query(OLD));
  await migrate(url, all);
  const database = openTestDatabase(url);
  try {
    const names = ['open', 'again', 'charged'];
    const stored = await database.tx((db) => lockSessions(db, 'p', names.map(keyOf)), { ecpdId: 'p' });
    assert.equal(stored.length, names.length);
    const next = (
      sessionId: string,
      kind: 'interim' | 'stop',
      minute: number,
      input: number,
      chargingId?: number,
    ) => {
      const state = stored.find(({ sessionKey }) => sessionKey === keyOf(sessionId))!;
      const report = { kind, atMs: at(minute), input, output: 7, chargingId, terminateCause: undefined };
      const { bytes, doubtful } = addReport(state, report, [at(0)]);
      return [bytes, doubtful];
    };
    assert.deepEqual(
      [
        next('open', 'interim', 10, 500),
        next('open', 'interim', 30, 600),
        next('again', 'stop', 20, 300),
        next('again', 'interim', 30, 50),
        next('charged', 'stop', 10, 400, 77),
        next('charged', 'interim', 30, 150, 78),
        next('charged', 'interim', 30, 150),
        next('charged', 'interim', 30, 150, 79),
      ],
      [
        [0, 0],
        [100, 0],
        [0, 0],
        [57, 0],
        [0, 0],
        [50, 0],
        [50, 0],
        [157, 0],
      ],
    );
  } finally {
    await database.close();
  }
});
