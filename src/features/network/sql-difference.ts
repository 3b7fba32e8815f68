import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/** A line whose state on an element differs from the state here. */
interface Difference {
  readonly imsi: string;
  readonly accountName: string;
  readonly deviceId: string;
  readonly here: string;
  readonly there: string;
}

/** A known difference keeps its time. */
export async function insertDifferences(
  db: Db,
  ecpdId: string,
  element: string,
  differences: readonly Difference[],
  now: Date,
): Promise<void> {
  if (differences.length === 0) return;
  const last = new Map(differences.map((each) => [each.imsi, each]));
  const rows = [...last.values()];
  await db.exec(sql`
    insert into network_difference as d (ecpd_id, element, imsi, account_name, device_id, here, there, since)
    select p.ecpd_id, ${element}, new.imsi, new.account_name, new.device_id, new.here, new.there, ${now}
    from profile p cross join unnest(${rows.map(({ imsi }) => imsi)}::text[], ${rows.map(({ accountName }) => accountName)}::text[],
      ${plainArray(rows.map(({ deviceId }) => deviceId))}::uuid[], ${rows.map(({ here }) => here)}::text[],
      ${rows.map(({ there }) => there)}::text[]) as new (imsi, account_name, device_id, here, there)
    where p.ecpd_id = ${ecpdId}
    on conflict (ecpd_id, element, imsi) do update set here = excluded.here, there = excluded.there,
      account_name = excluded.account_name, device_id = excluded.device_id`);
}

export async function deleteDifferences(
  db: Db,
  ecpdId: string,
  element: string,
  imsis: readonly string[],
): Promise<void> {
  if (imsis.length === 0) return;
  await db.exec(sql`
    delete from network_difference
    where ecpd_id = ${ecpdId} and element = ${element} and imsi = any(${imsis}::text[])`);
}

interface ListedDifference extends Difference {
  readonly ecpdId: string;
  readonly element: string;
  readonly since: Date;
  readonly kind: string;
  readonly device: string;
}

/** Two profiles may have a line with the same IMSI on one element. */
interface DifferenceKey {
  readonly element: string;
  readonly imsi: string;
  readonly ecpdId: string;
}

/** For all profiles or one account, sorted by element and IMSI, after a given one. */
export const listDifferences = (
  db: Db,
  {
    accountName,
    after,
    limit,
  }: {
    readonly accountName: string | undefined;
    readonly after: DifferenceKey | undefined;
    readonly limit: number;
  },
) =>
  db.many<ListedDifference>(sql`
    select d.ecpd_id as "ecpdId", d.element, d.imsi, d.account_name as "accountName", d.device_id as "deviceId", d.here,
      d.there, d.since, 'imsi' as kind, d.imsi as device
    from network_difference d
    where (${accountName ?? null}::text is null or d.account_name = ${accountName ?? null})
      and (d.element, d.imsi, d.ecpd_id) > (${after?.element ?? ''}, ${after?.imsi ?? ''}, ${after?.ecpdId ?? ''})
    order by d.element, d.imsi, d.ecpd_id limit ${limit}`);

/** Counted up to a hundred thousand. */
export const countDifferences = async (db: Db): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.many<{ element: string; n: number }>(sql`
        select element, count(*)::int as n from (select element from network_difference limit 100000) counted group by 1`)
    ).map(({ element, n }) => [element, n]),
  );
