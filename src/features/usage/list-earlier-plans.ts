import type { Db } from '../../platform/db/db.ts';
import type { ParsedRecord } from '../../platform/feeds/parse-records.ts';
import { listPlansAt } from '../devices/index.ts';
import { isBeforePlan, type Known } from './judge-records.ts';
import type { UsageRecord } from './usage-record.ts';

/** Asks the history of plans, and only where the present plan does not tell: most batches have no such record. */
export async function listEarlierPlans(
  db: Db,
  records: readonly ParsedRecord<UsageRecord>[],
  { devices, accounts }: Omit<Known, 'earlierPlans'>,
): Promise<Known['earlierPlans']> {
  const asked = records.flatMap(({ record: { atMs } }, n) => {
    const device = devices[n];
    const account = device && accounts.get(device.accountName);
    if (account === undefined || !isBeforePlan(device!, atMs)) return [];
    return [{ n, ecpdId: account.ecpdId, deviceId: device!.deviceId, atMs }];
  });
  const earlier = new Map<number, string>();
  for (const [ecpdId, moments] of Map.groupBy(asked, (moment) => moment.ecpdId))
    for (const { nth, planCode } of await listPlansAt(db, ecpdId, moments))
      earlier.set(moments[nth]!.n, planCode);
  return earlier;
}
