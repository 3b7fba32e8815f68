import type { Database } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { OPERATOR_KEY } from './usage-feed.ts';
import { PLAN } from './usage-fleet.ts';

const CYCLES = ['Daily', 'Weekly', 'Monthly'] as const;
const PAGE = 2_000;

/** Of mixed kinds: lines and accounts, each cycle, shares of the allowance; thresholds that some of the usage passes. */
function trigger(n: number, account: { ecpdId: string; accountName: string }) {
  const filterCriteria = { carrierServicePlanCode: PLAN, accountNameList: [account.accountName] };
  const cycleType = CYCLES[n % 3];
  const condition =
    n % 10 === 9
      ? { conditionType: 'UsageAllowance', percentage90: true }
      : n % 5 === 4
        ? {
            conditionType: 'AccountLevel',
            comparator: 'gt',
            threshold: 1 + (n % 400),
            thresholdUnit: 'MB',
            cycleType,
          }
        : {
            conditionType: 'Individual',
            comparator: 'gt',
            threshold: 20 + (n % 4_000),
            thresholdUnit: 'KB',
            cycleType,
          };
  return {
    triggerName: `trigger ${n}`,
    ecpdId: account.ecpdId,
    pricePlanTrigger: { payAsYouGo: { filterCriteria, condition, action: {} } },
    notification: { notificationType: 'PerEvent', callback: true },
  };
}

/** Through the import, as an operator would bring them. */
export async function importTriggers(db: Database, url: string, count: number): Promise<void> {
  const accounts = await db.many<{ ecpdId: string; accountName: string }>(
    sql`select ecpd_id as "ecpdId", account_name as "accountName" from account order by account_name`,
  );
  for (let from = 0; from < count; from += PAGE) {
    const pricePlanTriggers = Array.from({ length: Math.min(PAGE, count - from) }, (_, i) =>
      trigger(from + i, accounts[(from + i) % accounts.length]!),
    );
    const answer = await fetch(`${url}/operator/v1/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ pricePlanTriggers }),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
  }
  await db.exec(sql`vacuum analyze price_plan_level`);
}

export async function removeTriggers(db: Database): Promise<void> {
  await db.exec(sql`truncate price_plan_trigger, firing, callback_message cascade`);
}
