import assert from 'node:assert/strict';
import { asUser, CLIENT, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const ECPD = '9000001';
/** In Chicago, and the first account of the group. */
export const A = '0000123456-00001';
export const B = '0000123456-00002';
export const KB = 1_024;
/** Two lines of A and one of B on plan P, and one of each on the shared plan S. */
export const LINES = {
  a1: '990000000000011',
  a2: '990000000000029',
  b1: '990000000000037',
  sharedA: '990000000000045',
  sharedB: '990000000000052',
} as const;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const NOWHERE = 'http://127.0.0.1:9000/callbacks';

export const over = (
  kb: number,
  { accounts = [A], ...more }: { accounts?: string[]; [condition: string]: unknown } = {},
) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList: accounts },
    condition: {
      conditionType: 'Individual',
      comparator: 'gt',
      threshold: kb,
      thresholdUnit: 'KB',
      cycleType: 'Monthly',
      ...more,
    },
    action: {},
  },
});

export const pool = (...percents: number[]) => ({
  accountGroupShare: {
    accountGroupSharePool: {
      filterCriteria: { ratePlanGroupId: 7 },
      condition: { action: 'notify' },
      action: {
        notify: {
          threshold: [{ percentage: Object.fromEntries(percents.map((p) => [`percentage${p}`, true])) }],
        },
      },
    },
  },
});

export async function makeNotifyingScene() {
  const world = await makeWorld();
  const { db } = world.ctx;
  const onPlan = (accountName: string, imei: string, servicePlan: string) => ({
    accountName,
    imei,
    mdn: `55501${imei.slice(-5)}`,
    servicePlan,
    planSince: '2025-01-01T00:00:00Z',
  });
  await world.import({
    clients: [CLIENT],
    profiles: [{ ecpdId: ECPD }],
    users: [{ ...USER, accounts: [A, B] }],
    accounts: [
      { accountName: A, ecpdId: ECPD, timeZone: 'America/Chicago' },
      { accountName: B, ecpdId: ECPD },
    ],
    plans: [
      {
        code: 'P',
        carrierServicePlanCode: 'CARRIER-P',
        name: 'Pay plan',
        kind: 'payAsYouGo',
        allowanceBytes: 100 * KB,
        throttleAtPercent: 80,
      },
      {
        code: 'S',
        carrierServicePlanCode: 'CARRIER-S',
        name: 'Share plan',
        kind: 'share',
        allowanceBytes: 50 * KB,
        throttleAtPercent: 100,
      },
    ],
    ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['S'], accounts: [A, B] }],
    notificationGroups: [
      { ecpdId: ECPD, name: 'ops', emails: ['group@example.com'], phones: ['5550109998'] },
    ],
    devices: [
      onPlan(A, LINES.a1, 'P'),
      onPlan(A, LINES.a2, 'P'),
      onPlan(B, LINES.b1, 'P'),
      onPlan(A, LINES.sharedA, 'S'),
      onPlan(B, LINES.sharedB, 'S'),
    ],
  });

  let made = 0;
  /** With mail and SMS by default. */
  const trigger = async (pricePlanTrigger: object, notification: object = {}, more: object = {}) => {
    const triggerId = `7a6d0f5e-9f0a-4c55-8f0e-${String(++made).padStart(12, '0')}`;
    const document = {
      triggerId,
      triggerName: `trigger ${made}`,
      ecpdId: ECPD,
      pricePlanTrigger,
      notification: {
        notificationType: 'PerEvent',
        callback: true,
        emailNotification: true,
        externalEmailRecipients: 'ops@example.com',
        notificationGroupName: 'ops',
        smsNotification: true,
        smsNumbers: [{ number: '5550109999', carrier: 'Example' }],
        severity: 'Major',
        ...notification,
      },
      ...more,
    };
    await world.import({ pricePlanTriggers: [document] });
    return document;
  };
  /** As its owner does. */
  const remove = async ({ triggerId }: { readonly triggerId: string }) => {
    const { call } = await asUser(world);
    const answer = await call('DELETE', `/m2m/v2/triggers/${triggerId}`);
    assert.equal(answer.statusCode, 200, answer.body);
  };
  let fed = 0;
  const use = (records: readonly (readonly [imei: string, kb: number])[], at = world.clock.now()) =>
    world.operator(
      'POST',
      '/usage',
      records.map(([device, kb]) => ({
        id: `u${++fed}`,
        kind: 'imei',
        device,
        at: at.toISOString(),
        bytes: kb * KB,
      })),
    );
  const listen = (accountName: string, serviceName: string) =>
    world.import({ listeners: [{ accountName, serviceName, url: NOWHERE }] });
  interface Alert {
    readonly accountName: string;
    readonly requestId: string;
    // biome-ignore lint/suspicious/noExplicitAny: what a listener reads is whatever was sent
    readonly payload: Record<string, any>;
  }
  const callbacks = (serviceName: string) =>
    db.many<Alert>(sql`
      select account_name as "accountName", request_id as "requestId", payload::json as payload from callback_message
      where service_name = ${serviceName} order by created_at, message_id`);
  const alerts = async () =>
    (await callbacks('AlertService')).map(({ accountName, requestId, payload }) => ({
      accountName,
      requestId,
      ...payload['deviceResponse'].alertServiceResponse,
    }));
  const sent = (channel: 'mail' | 'sms') =>
    db.many<{ subject: string; text: string; to: string[]; key: string; at: Date }>(sql`
      select n.subject, n.body as text, n.dedupe_key as key, n.created_at as at,
        array(select recipient from notification_recipient r
          where r.ecpd_id = n.ecpd_id and r.notification_id = n.notification_id order by position) as to
      from notification n where channel = ${channel} order by created_at, dedupe_key`);
  /** Starts over: in a month without usage, and without triggers. */
  const startOver = async () => {
    await db.exec(sql`delete from price_plan_trigger`);
    await db.exec(sql`truncate callback_message, callback_pending, callback_failed, notification_recipient, notification,
      firing, job, price_plan_throttled, price_plan_summary, price_plan_summary_entry, price_plan_reminder_firing, price_plan_reminder`);
    await db.exec(sql`delete from callback_listener`);
    const now = world.clock.now();
    world.clock.holdAt(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 15)));
  };
  return { world, db, trigger, remove, use, listen, callbacks, alerts, sent, startOver };
}
