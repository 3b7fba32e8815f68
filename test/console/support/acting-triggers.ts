import type { Page } from 'playwright-core';
import { sql } from '../../../src/platform/db/sql.ts';
import { ACCOUNT, type ConsoleScene } from './scene.ts';

const MB = 1024 ** 2;
export const PLAN = 'LK-PAYG-5MB';

/** Suspends all lines on the plan when these accounts together have used more than a megabyte on it. */
const suspending = (accounts: readonly string[], cycleType: string) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: PLAN, accountNameList: accounts },
    condition: {
      conditionType: 'AccountLevel',
      separateOrCombined: 'Combined',
      comparator: 'gt',
      threshold: 1,
      thresholdUnit: 'MB',
      cycleType,
    },
    action: {
      suspend: true,
      suspendDetails: {
        suspendDuration: '30',
        suspendOption: 'WithBilling',
        threshold: 1,
        thresholdUnit: 'MB',
      },
    },
  },
});

/** Notifies for each line that has used more than this amount in a month. */
export const beyond = (megabytes: number, accounts: readonly string[] = [ACCOUNT]) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: PLAN, accountNameList: accounts },
    condition: {
      conditionType: 'Individual',
      comparator: 'gt',
      threshold: megabytes,
      thresholdUnit: 'MB',
      cycleType: 'Monthly',
    },
    action: {},
  },
});

/** Each record in a world needs its own id. */
let fed = 0;

/** Creates triggers as the page's signed-in user, and adds usage to lines. */
export function makeTriggers({ world, url }: ConsoleScene) {
  const create = async (page: Page, triggerName: string, pricePlanTrigger: object): Promise<string> => {
    const options = await page.request.get(`${url}/api/console/v1/accounts/${ACCOUNT}/triggers/options`);
    const answer = await page.request.post(`${url}/api/m2m/v2/triggers`, {
      headers: { 'x-requested-by': 'console' },
      data: {
        ecpdId: (await options.json()).ecpdId,
        triggerCategory: 'PricePlanDataUsage',
        triggerName,
        pricePlanTrigger,
        notification: { notificationType: 'PerEvent', callback: true },
      },
    });
    if (!answer.ok()) throw new Error(`no trigger: ${await answer.text()}`);
    return (await answer.json()).triggerId;
  };
  return {
    create,
    suspend: (page: Page, name: string, cycleType: string, accounts: readonly string[] = [ACCOUNT]) =>
      create(page, name, suspending(accounts, cycleType)),
    /** The id of the line with the usage. */
    async use(accountName = ACCOUNT, bytes = 2 * MB): Promise<{ deviceId: string; recordId: string }> {
      const { deviceId, imei } = await world.ctx.db.one<{ deviceId: string; imei: string }>(sql`
        select device_id as "deviceId", imei from device
        where account_name = ${accountName} and service_plan = ${PLAN} and state = 'active' order by imei limit 1`);
      world.pass(1_000);
      const recordId = `used-${++fed}`;
      const record = { id: recordId, kind: 'imei', device: imei, at: world.ctx.now(), bytes };
      const answer = await world.operator('POST', '/usage', record);
      if (answer.json().accepted !== 1) throw new Error(`usage refused: ${answer.body}`);
      return { deviceId, recordId };
    },
  };
}
