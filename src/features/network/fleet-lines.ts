import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { LineNetwork } from './line-network.ts';
import { orderLines } from './order-lines.ts';

const PAGE = 1_000;

/** The identifiers that elements know. */
const IDS = ['imsi', 'msisdn', 'mdn', 'imei', 'iccid'];
const sameIds = trusted(
  IDS.map((id) => `d.${id} is not distinct from coalesce(s.body->>'${id}', d.${id})`).join(' and '),
);

/**
 * Before an import merges devices: stages the lines that it adds, and the existing lines that it may change. The
 * simulated network needs no orders for this.
 */
export async function stageLines(
  { db }: Ctx,
  network: LineNetwork,
  ecpdIds: readonly string[],
): Promise<void> {
  if (network.time === 'domain') return;
  await db.exec(sql`create temporary table staged_line (ecpd_id text, device_id uuid) on commit drop`);
  for (const ecpdId of ecpdIds)
    await db.exec(sql`
      with same as materialized (
        select s.device_id from staged_device s
        join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id
        where s.ecpd_id = ${ecpdId} and ${sameIds})
      insert into staged_line (ecpd_id, device_id)
      select s.ecpd_id, s.device_id from staged_device s
      left join same on same.device_id = s.device_id
      left join staged_change c on c.ecpd_id = ${ecpdId} and c.device_id = s.device_id
      where s.ecpd_id = ${ecpdId} and (same.device_id is null or c.device_id is not null)`);
  await db.exec(sql`create index on staged_line (ecpd_id, device_id)`);
}

/** After the merge: orders these lines from the network, page by page. */
export async function orderImported(tx: Ctx, network: LineNetwork, ecpdId: string): Promise<void> {
  if (network.time === 'domain') return;
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const page: { deviceId: string }[] = await tx.db.many(sql`
      select device_id as "deviceId" from staged_line
      where ecpd_id = ${ecpdId} and device_id > ${after} order by device_id limit ${PAGE}`);
    const ids = page.map(({ deviceId }) => deviceId);
    await orderLines(tx, ecpdId, network, ids, { cause: 'follow' });
    after = ids.length < PAGE ? undefined : ids.at(-1);
  }
}
