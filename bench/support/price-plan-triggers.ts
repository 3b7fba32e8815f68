import type { Database } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { OPERATOR_KEY } from './service.ts';
import { PLAN } from './usage-fleet.ts';

const CYCLES = ['Daily', 'Weekly', 'Monthly'] as const;
const PAGE = 2_000;

/** A mix of lines and accounts, of all cycles and of shares of the allowance; some of the usage crosses thresholds. */
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

export interface BenchAccount {
  readonly ecpdId: string;
  readonly accountName: string;
}

const listAccounts = (db: Database) =>
  db.many<BenchAccount>(
    sql`select ecpd_id as "ecpdId", account_name as "accountName" from account order by account_name`,
  );

/** Uses the import, as an operator would. */
async function importAll(db: Database, url: string, triggers: readonly object[]): Promise<void> {
  for (let from = 0; from < triggers.length; from += PAGE) {
    const pricePlanTriggers = triggers.slice(from, from + PAGE);
    const answer = await fetch(`${url}/operator/v1/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ pricePlanTriggers }),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
  }
  await db.exec(sql`vacuum analyze price_plan_level`);
}

export async function importTriggers(db: Database, url: string, count: number): Promise<void> {
  const accounts = await listAccounts(db);
  const triggers = Array.from({ length: count }, (_, n) => trigger(n, accounts[n % accounts.length]!));
  await importAll(db, url, triggers);
}

/** For each account, a trigger that every line crosses with its first record; it notifies and suspends the line. */
export async function importSuspending(db: Database, url: string): Promise<void> {
  const triggers = (await listAccounts(db)).map((account, n) => ({
    ...trigger(0, account),
    triggerName: `suspends ${n}`,
    pricePlanTrigger: {
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: PLAN, accountNameList: [account.accountName] },
        condition: {
          conditionType: 'Individual',
          comparator: 'gt',
          threshold: 1,
          thresholdUnit: 'KB',
          cycleType: 'Monthly',
        },
        action: {
          suspend: true,
          suspendDetails: { suspendDuration: '30', suspendOption: 'WithBilling' },
        },
      },
    },
  }));
  await importAll(db, url, triggers);
}

export async function removeTriggers(db: Database): Promise<void> {
  await db.exec(sql`truncate price_plan_trigger, firing, callback_message cascade`);
}
