import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

export const insertChainLines = (
  db: Db,
  { ecpdId }: Tenant,
  chainId: string,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.exec(sql`
    insert into trigger_chain_line (ecpd_id, chain_id, device_id, changed_at)
    select ${ecpdId}, ${chainId}, device_id, ${now} from unnest(${plainArray(deviceIds)}::uuid[]) as l (device_id)
    on conflict do nothing`);

export const listChainLines = async (db: Db, ecpdId: string, chainId: string): Promise<readonly string[]> =>
  (
    await db.many<{ deviceId: string }>(sql`
      select device_id as "deviceId" from trigger_chain_line where ecpd_id = ${ecpdId} and chain_id = ${chainId}`)
  ).map(({ deviceId }) => deviceId);

/** The read across profiles takes no locks; each delete names one profile. Answers how many went. */
export async function deleteOldChainLines(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(distinct chain_id) as ids from (
      select ecpd_id, chain_id from trigger_chain_line where changed_at < ${before} order by changed_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(sql`
      delete from trigger_chain_line
      where ecpd_id = ${ecpdId} and chain_id = any(${plainArray(ids)}::uuid[]) and changed_at < ${before}`);
  return deleted;
}
