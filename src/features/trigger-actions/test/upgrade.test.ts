import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createEmptyDatabase } from '../../../../test/support/database.ts';
import { withClient } from '../../../../test/support/with-client.ts';
import { readOwnMigrations } from '../../../app/own-migrations.ts';
import { migrate } from '../../../platform/db/migrate.ts';

const { url, drop } = await createEmptyDatabase();
after(drop);

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [RUNNING, WAITING, ASKED, REQUEST, TRIGGER, SWITCHED_OFF] = [1, 2, 3, 4, 5, 6].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const action = (id: string, trigger: string, state: string, lines: readonly number[], more: string) => `
  insert into trigger_action (ecpd_id, action_id, account_name, trigger_id, kind, params, device_count, device_ids, state,
    request_ids, open_requests, approvable_to, created_at)
  values ('p', '${id}', 'a', '${trigger}', 'suspend', '{}', ${lines.length}, '{${lines.map(uuid)}}', '${state}', ${more}, now(), now());`;
const trigger = (id: string, active: boolean) => `
  insert into price_plan_trigger (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
  values ('p', '${id}', 't', ${active}, 1, '{}', now(), now());`;

/** Three lines of a running action: the first is changed, the second failed, and the third waits for the network. */
const OLD = `
  set session_replication_role = replica;
  insert into profile (ecpd_id, foreign_id) values ('p', '${uuid(7)}');
  insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
    location_registered, created_at) values ('p', 'a', 'UTC', 1, false, false, false, now());
  ${trigger(TRIGGER, true)} ${trigger(SWITCHED_OFF, false)}
  ${action(RUNNING, TRIGGER, 'running', [10, 11, 12], `'{${REQUEST}}', 1`)}
  ${action(WAITING, TRIGGER, 'waiting', [12, 13], `'{}', 0`)}
  ${action(ASKED, SWITCHED_OFF, 'awaitingApproval', [14], `'{}', 0`)}
  insert into carrier_request (ecpd_id, account_name, request_id, operation, status, device_count, succeeded, failed, held, body,
    created_at, created_by) values ('p', 'a', '${REQUEST}', 'suspend', 'Pending', 3, 1, 1, 1, '{}', now(), 't');
  insert into carrier_request_device (ecpd_id, request_id, nth, device_id, ids, held, fault_code, fault_text) values
    ('p', '${REQUEST}', 0, '${uuid(10)}', '[]', false, null, null),
    ('p', '${REQUEST}', 1, '${uuid(11)}', '[]', false, 'x', 'x'),
    ('p', '${REQUEST}', 2, '${uuid(12)}', '[]', true, null, null);
  insert into firing_action (ecpd_id, firing_id, action_id, device_id)
  select 'p', device_id, '${RUNNING}', device_id from carrier_request_device;`;

// proves price-plan-triggers/own-lines
it('an upgrade keeps what actions still have to do, and drops those of triggers that are off', async () => {
  const all = await readOwnMigrations();
  const before = all.filter(({ name }) => name < '0057');
  await migrate(url, before);
  await withClient(url, (client) => client.query(OLD));
  await migrate(url, all);
  await withClient(url, async (client) => {
    const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;
    assert.deepEqual(
      await rows('select action_id, device_id, request_id from trigger_action_line order by seq, device_id'),
      [
        [RUNNING, uuid(12), REQUEST],
        [WAITING, uuid(12), null],
        [WAITING, uuid(13), null],
      ],
    );
    assert.deepEqual(
      await rows(
        'select state, succeeded, failed, ends_as, cardinality(device_ids) from trigger_action order by seq',
      ),
      [
        ['running', 1, 1, 'failed', 0],
        ['waiting', 0, 0, null, 0],
        ['dropped', 0, 0, null, 1],
      ],
    );
    assert.deepEqual(await rows('select device_id, state from firing_action where state is not null'), [
      [uuid(11), 'failed'],
    ]);
    const jobs = await rows(
      `select payload -> 'actionIds' from job where kind = 'price-plan-triggers.continue-actions'`,
    );
    assert.deepEqual(jobs.flat(2).toSorted(), [WAITING, ASKED]);
  });
});
