import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Move } from '../devices/index.ts';
import { isLifetimeSku } from './license-skus.ts';

/** Locks in key order, like all code that counts licences. */
const lockLicenses = (
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
  skuNumbers: readonly string[],
) =>
  db.exec(sql`
    select 1 from license
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) and sku_number = any(${skuNumbers}::text[])
    order by account_name, sku_number for no key update`);

/** Lifetime licences are bought for the life of the SIM, so the purchase moves to the other account too. */
async function moveForLife(db: Db, { from, to, deviceIds }: Move, skuNumber: string): Promise<void> {
  const { ecpdId } = from;
  const ids = plainArray(deviceIds);
  await db.exec(sql`
    with moving as (
      select count(*)::int as n from license_assignment
      where ecpd_id = ${ecpdId} and account_name = ${from.accountName} and sku_number = ${skuNumber}
        and device_id = any(${ids}::uuid[])),
    given as (
      update license set purchased = purchased - n from moving
      where ecpd_id = ${ecpdId} and account_name = ${from.accountName} and sku_number = ${skuNumber})
    insert into license as l (ecpd_id, account_name, sku_number, purchased)
    select ${ecpdId}, ${to.accountName}, ${skuNumber}, n from moving
    on conflict (ecpd_id, account_name, sku_number) do update set purchased = l.purchased + excluded.purchased`);
  await db.exec(sql`
    update license_assignment set account_name = ${to.accountName}
    where ecpd_id = ${ecpdId} and account_name = ${from.accountName} and sku_number = ${skuNumber}
      and device_id = any(${ids}::uuid[])`);
}

/** Call it with the moved devices locked. Lifetime licences move with their devices; the others become free. */
export async function moveLicenses(db: Db, move: Move): Promise<void> {
  const { from, to, deviceIds } = move;
  const { ecpdId } = from;
  const assigned = await db.many<{ skuNumber: string }>(sql`
    select distinct sku_number as "skuNumber" from license_assignment
    where ecpd_id = ${ecpdId} and account_name = ${from.accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])`);
  if (assigned.length === 0) return;
  const skuNumbers = assigned.map(({ skuNumber }) => skuNumber);
  await lockLicenses(db, ecpdId, [from.accountName, to.accountName], skuNumbers);
  for (const skuNumber of skuNumbers.filter(isLifetimeSku)) await moveForLife(db, move, skuNumber);
  await db.exec(sql`
    delete from license_assignment
    where ecpd_id = ${ecpdId} and account_name = ${from.accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])`);
}
