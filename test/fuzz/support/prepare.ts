import { FACILITIES, HAULAGE, PRIMARY } from '../../../demo/accounts.ts';
import { PLAN } from '../../../demo/plans.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { FLEET, KNOWN, OWNER, VAN } from './fleet.ts';
import { LEAVING, SNAPSHOT } from './places.ts';
import type { Scene } from './scene.ts';

interface Hands {
  readonly scene: Scene;
  /** Sends the valid request of another operation as the owner, and learns from its response. */
  readonly ask: (id: string, body?: unknown) => Promise<unknown>;
}
type Step = string | ((hands: Hands) => Promise<void>);

const oldPassword: Step = async ({ scene }) => {
  await scene.world.import({ users: [OWNER] });
  await scene.mend();
};
/** An activated account cannot be added again, and only its own transaction id is valid for the next step. */
const unmanaged: Step = async ({ scene: { world } }) => {
  await world.ctx.db.exec(sql`
    delete from managed_account where ecpd_id = ${HAULAGE.ecpdId} and account_name = ${FACILITIES}`);
};
/** An earlier call may have deleted them. */
const demoTriggers: Step = async ({ scene: { world, fleet } }) => {
  const { usageTriggers, pricePlanTriggers } = fleet;
  await world.import({ usageTriggers, pricePlanTriggers });
};
/** The log leaves out calls that read it, so another call is needed. */
const loggedRequest: Step = async ({ scene: { world, known } }) => {
  await world.operator('GET', '/clock');
  const [call] = (await world.operator('GET', '/requests?limit=1')).json() as { id: string }[];
  known.learn('id', call!.id);
};
/** In any account to which it was moved. */
const noVan: Step = async ({ scene: { world } }) =>
  void (await world.operator('DELETE', `/devices/imei/${VAN.imei}`));
const newKey: Step = async ({ scene: { world } }) =>
  void (await world.operator('DELETE', `/keys/${KNOWN['key']![0]}`));
const newSnapshot: Step = async ({ scene: { world } }) =>
  void (await world.operator('DELETE', `/snapshots/${SNAPSHOT}`));

/**
 * A message without a listener fails at once, and can be sent again when a listener exists. There are two, of two
 * services; the request asks for the later one.
 */
const SERVICES = ['CarrierService', 'Fota'];
const failedMessage: Step = async ({ scene: { world }, ask }) => {
  const { ecpdId } = HAULAGE;
  for (const table of ['callback_pending', 'callback_listener'])
    await world.ctx.db.exec({
      text: `delete from ${table} where ecpd_id = $1 and account_name = $2`,
      values: [ecpdId, FACILITIES],
    });
  for (const serviceName of SERVICES)
    await ask('operatorSendEvent', { accountName: FACILITIES, serviceName, payload: {} });
  const listeners = SERVICES.map((serviceName) => ({
    accountName: FACILITIES,
    serviceName,
    url: KNOWN['url']![0],
  }));
  await world.import({ listeners });
};

/** One of them was sent again, so it has one attempt. */
const triedMessage: Step = async ({ scene: { world, known }, ask }) => {
  await ask('resendFailedCallbacks', { serviceName: SERVICES[0] });
  await world.delivery.settle();
  const tried = await world.ctx.db.value<string>(sql`
    select m.message_id::text as id from callback_attempt a
    join callback_message m on m.ecpd_id = a.ecpd_id and m.message_id = a.message_id
    where a.ecpd_id = ${HAULAGE.ecpdId} and m.account_name = ${FACILITIES} and a.series = 1 and a.attempt = 1
    order by a.at desc limit 1`);
  known.learn('id', tried);
};

/** More lines than may be changed without an approval, which suspends them. */
const payAsYouGo = ({ devices }: typeof FLEET) =>
  devices
    .filter((device) => 'servicePlan' in device && device.servicePlan === PLAN.payg5Mb)
    .filter(({ accountName, state }) => accountName === PRIMARY && state === 'active')
    .slice(0, 3);

/** On a separate trigger, because each fires once in a cycle. */
const waitingFiring: Step = async ({ scene: { world, known, fleet, nextNr }, ask }) => {
  await world.operator('POST', '/actions/resume');
  await world.import({ devices: payAsYouGo(fleet) });
  const suspendDetails = {
    suspendFromAccounts: [PRIMARY],
    suspendDuration: '30',
    suspendOption: 'WithoutBilling',
    threshold: 1,
    thresholdUnit: 'KB',
  };
  const pricePlanTrigger = {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: PLAN.payg5Mb, accountNameList: [PRIMARY] },
      condition: {
        conditionType: 'AccountLevel',
        comparator: 'gt',
        threshold: 1,
        thresholdUnit: 'KB',
        cycleType: 'Daily',
      },
      action: { suspend: true, suspendDetails },
    },
  };
  const notification = { notificationType: 'PerEvent', callback: true };
  const created = await ask('createPricePlanTrigger', {
    triggerName: 'Waits for approval',
    pricePlanTrigger,
    notification,
  });
  await ask('operatorFeedUsage', [
    {
      id: `waits-${nextNr()}`,
      kind: 'imei',
      device: KNOWN['imei']![0],
      at: world.clock.now().toISOString(),
      bytes: 1_048_576,
    },
  ]);
  await world.engine.settle();
  const { triggerId } = created as { triggerId: string };
  const firings = (await world.operator('GET', `/firings?triggerId=${triggerId}`)).json() as {
    firingId: string;
    actions: { state: string }[];
  }[];
  const waits = firings.find(({ actions }) => actions.some(({ state }) => state === 'awaitingApproval'));
  if (waits === undefined) throw new Error('no firing waits for approval');
  known.learn('firing', waits.firingId);
};

const raisedAlert: Step = async ({ scene: { world, known, nextNr }, ask }) => {
  const rulechain = { field: `engine${nextNr()}Temperature`, operator: 'gt', value: 110 };
  const { id: ruleid } = (await ask('overwriteRule', {
    accountname: PRIMARY,
    rule: { name: 'Engine too hot', deviceid: FLEET.devices[0]!.record.id, rulesyntax: 'json', rulechain },
  })) as { id: string };
  await world.watcher.settle();
  await ask('operatorFeedReadings', [
    {
      kind: 'imei',
      device: (FLEET.devices[0] as { imei: string }).imei,
      at: world.clock.now().toISOString(),
      values: { [rulechain.field]: 118 },
    },
  ]);
  const found = await ask('querySmartAlerts', { accountname: PRIMARY, filter: { $selection: { ruleid } } });
  for (const { id } of found as { id: string }[]) known.learn('id', id);
};

/** Finishes earlier requests, so that not too many are in progress. */
const settled: Step = async ({ scene: { world } }) => void (await world.engine.settle());

const failedJob: Step = async ({ scene: { world, known }, ask }) => {
  await ask('requestBillingSummary');
  const { db, now } = world.ctx;
  const [job] = await db.many<{ ecpdId: string; id: string }>(
    sql`select ecpd_id as "ecpdId", job_id as id from job where state = 'waiting' and key is null limit 1`,
  );
  if (job === undefined) return;
  await db.exec(sql`
    update job set state = 'failed', finished_at = ${now()} where ecpd_id = ${job.ecpdId} and job_id = ${job.id}`);
  known.learn('job', job.id);
};

/** An order that an element has accepted and confirms later. */
const takenOrder: Step = async ({ scene: { world, known } }) => {
  const { db, now, newId } = world.ctx;
  const orderId = newId();
  await db.exec(sql`
    insert into network_order (ecpd_id, order_id, account_name, device_id, element, imsi, nr, wanted, cause, state, created_at,
      due_at, expires_at)
    select ecpd_id, ${orderId}, account_name, device_id, 'simulated', ${orderId}, 1, 'active', 'follow', 'taken', ${now()}, ${now()},
      ${now()} from device where ecpd_id = ${HAULAGE.ecpdId} limit 1`);
  known.learn('order', orderId);
};

const leavingCustomer: Step = async ({ scene: { world } }) => {
  await world.engine.settle();
  const { ecpdId, plan: code } = LEAVING;
  await world.import({
    profiles: [{ ecpdId }],
    plans: [{ code, carrierServicePlanCode: code, name: 'Leaves', kind: 'share' }],
    ratePlanGroups: [{ ecpdId, ratePlanGroupId: 900, planCodes: [code], accounts: [] }],
  });
};
/** Makes sure that no group has this plan. */
const leavingPlan: Step = async ({ scene: { world } }) =>
  void (await world.operator('DELETE', `/rate-plan-groups/${LEAVING.ecpdId}/900`));

/** A name that no file of the feed has so far. */
const freshFile: Step = async ({ scene: { world, known } }) =>
  known.learn('file', `${world.ctx.newId()}.csv`);
const startedCheck: Step = async ({ scene: { world, known } }) =>
  known.learn('job', (await world.operator('POST', '/network/check', {})).json().jobId);

/** The steps before an operation can succeed. What a success uses up must be created for each call. */
export const PREPARATIONS: Readonly<Record<string, readonly Step[]>> = {
  operatorPutUsageFile: [freshFile],
  logIn: [oldPassword],
  consoleSignIn: [oldPassword],
  resetPassword: [oldPassword],
  readRequestStatus: ['requestBillingSummary', settled],
  resendCallbacks: [failedMessage],
  resendFailedCallbacks: [failedMessage],
  operatorResendCallbacks: [failedMessage],
  listRequestDevices: ['suspendDevices', settled],
  listDeliveryLog: [failedMessage],
  readDelivery: [failedMessage, triedMessage],
  countFailedCallbacks: [failedMessage],
  listLocationReports: [settled, 'createLocationReport', settled],
  readDeliveryAttempt: [failedMessage, triedMessage],
  removeListenerM2m: ['registerListenerM2m'],
  removeListenerFota: ['registerListenerM2m'],
  removeListenerLoc: ['registerListenerM2m'],
  operatorPauseListener: ['registerListenerM2m'],
  operatorResumeListener: ['registerListenerM2m'],
  removeExclusions: ['changeExclusions'],
  readLocationReportStatus: ['createLocationReport', settled],
  readLocationReport: ['createLocationReport', settled],
  cancelLocationReport: ['createLocationReport'],
  cancelDeviceLocations: ['requestDeviceLocations'],
  readLocationReportWithCounts: [settled, 'createAccountLocationReport', settled],
  addManagedAccounts: [unmanaged],
  provisionManagedAccount: [unmanaged, 'addManagedAccounts'],
  cancelManagedAccount: [unmanaged, 'addManagedAccounts', 'provisionManagedAccount'],
  readUsageTrigger: [demoTriggers],
  listUsageTriggerFirings: [demoTriggers],
  readPricePlanTrigger: [demoTriggers],
  listPricePlanTriggerVersions: [demoTriggers],
  listPricePlanTriggerFirings: [demoTriggers],
  updateUsageTrigger: ['createUsageTrigger'],
  deleteUsageTrigger: ['createUsageTrigger'],
  deletePricePlanTrigger: ['createPricePlanTrigger'],
  approvePricePlanFiring: [waitingFiring],
  rejectPricePlanFiring: [waitingFiring],
  operatorApproveFiring: [waitingFiring],
  operatorRejectFiring: [waitingFiring],
  updateDeviceManagementUser: ['createDeviceManagementUser'],
  deleteDeviceManagementUser: ['createDeviceManagementUser'],
  deleteRule: ['overwriteRule'],
  listRuleVersions: ['overwriteRule'],
  acknowledgeSmartAlert: [raisedAlert],
  acknowledgeSmartAlerts: [raisedAlert],
  operatorConfirmOrder: [takenOrder],
  operatorReadCheck: [startedCheck],
  operatorDeleteCustomer: [leavingCustomer],
  operatorDeleteRatePlanGroup: [leavingCustomer],
  operatorDeletePlan: [leavingCustomer, leavingPlan],
  operatorImport: [noVan],
  operatorMoveDevice: [noVan, 'operatorImport'],
  operatorDeleteDevice: [noVan, 'operatorImport'],
  operatorErasePositionsOfDevice: ['operatorFeedPositions'],
  operatorListRequests: [loggedRequest],
  operatorReadRequest: [loggedRequest],
  operatorRetryJob: [failedJob],
  operatorCreateKey: [newKey],
  operatorDeleteKey: [newKey, 'operatorCreateKey'],
  operatorMakeSnapshot: [newSnapshot],
  operatorRestoreSnapshot: [newSnapshot, 'operatorMakeSnapshot'],
  operatorDeleteSnapshot: [newSnapshot, 'operatorMakeSnapshot'],
  operatorListSnapshots: [newSnapshot, 'operatorMakeSnapshot'],
};
