import type { Database } from '../src/platform/db/db.ts';
import { sql } from '../src/platform/db/sql.ts';
import { startFeedScene } from './support/feed-scene.ts';
import { inTurns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';
import { feedRate } from './support/usage-feed.ts';

const RECORDS = 100_000;
const DEVICES = 10_000;
const ROUNDS = roundsOr(3);
const [FEW, MANY] = [1_000, 100_000];

/**
 * Spreads triggers over all accounts. The same thousand can fire in every round, so the comparison shows the cost of having more
 * triggers, not of more firings. Of the others, half have fired this month, and half have a threshold above the usage.
 */
async function fillTriggers(db: Database, count: number, month: string): Promise<void> {
  await db.exec(sql`truncate firing, usage_trigger, callback_message cascade`);
  await db.exec(
    sql`truncate service_transaction, service_day, service_billed_day, service_month, service_month_line, usage_record, usage_record_id`,
  );
  await db.exec(sql`
    insert into subscription (ecpd_id, account_name, service_name, sku_name, since, allowance)
    select ecpd_id, account_name, 'fota', 'fota', '2026-01-01', ${(RECORDS / 100) * 2} from account on conflict do nothing`);
  await db.exec(sql`
    insert into usage_trigger (ecpd_id, account_name, trigger_id, trigger_name, service_name, threshold_percent,
      allow_excess, send_sms, sms_phone_numbers, send_email, email_addresses, version, created_at, updated_at, fired_month)
    select a.ecpd_id, a.account_name, gen_random_uuid(), 'trigger ' || n, 'fota',
      case when n <= ${FEW} or n % 2 = 0 then 1 + (n * 37) % 100 else 101 + n % 900 end,
      true, false, '{}', false, '{}', 1, '2026-01-01Z', '2026-01-01Z',
      case when n > ${FEW} and n % 2 = 0 then ${month} else '' end
    from generate_series(1, ${count}::int) n
    join (select *, row_number() over (order by ecpd_id, account_name) as nth, count(*) over () as all_of_them
          from account) a on a.nth = 1 + n % a.all_of_them`);
  await db.exec(sql`vacuum analyze usage_trigger`);
  await db.exec(sql`checkpoint`);
}

/** These triggers evaluate only uses of a metered service, so every record is one. */
export async function usageTriggers(): Promise<Finding[]> {
  const { db, url, stop } = await startFeedScene(DEVICES);
  const at = new Date().toISOString();
  const rateWith = async (triggers: number, run: string) => {
    await fillTriggers(db, triggers, at.slice(0, 7));
    const rate = await feedRate(url, {
      records: RECORDS,
      devices: DEVICES,
      run,
      at,
      serviceName: 'fota',
    });
    const { fired } = await db.one<{ fired: number }>(sql`select count(*)::int as fired from firing`);
    console.error(`  ${show(triggers)} triggers: ${show(rate)}/s, ${show(fired)} fired`);
    return rate;
  };
  const cost = (triggers: number) => async (round: number) =>
    1e6 / (await rateWith(triggers, `${triggers} ${round}`));
  const turns = await inTurns(ROUNDS, cost(MANY), cost(FEW));
  await stop();
  return [
    beside({
      what: `Microseconds for a use of a service with ${show(MANY)} usage triggers, ${show(RECORDS)} uses over 100 accounts`,
      ...turns,
      is: `with ${show(FEW)} triggers`,
      target: { atMost: 1.2 },
    }),
  ];
}
