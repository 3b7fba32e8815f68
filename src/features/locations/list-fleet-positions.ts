import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { listWithheld, requireRegistered } from '../consents/index.ts';
import { SHOWN_NAME } from '../devices/index.ts';
import type { Fix } from './location.ts';
import { listPositions } from './sql-position.ts';

export interface FleetPosition extends Fix {
  readonly deviceId: string;
  readonly name: string;
}

/** What is known already, under the consent that holds now: precise where that is allowed, else coarse, else nothing. */
async function knownOf(
  { db }: Ctx,
  tenant: Tenant,
  devices: readonly FleetDevice[],
): Promise<readonly FleetPosition[]> {
  const ids = devices.map(({ deviceId }) => deviceId);
  const notPrecise = await listWithheld(db, tenant, ids, 'precise');
  const nothing = await listWithheld(db, tenant, [...notPrecise.keys()], 'coarse');
  const precise = ids.filter((id) => !notPrecise.has(id));
  const coarse = ids.filter((id) => notPrecise.has(id) && !nothing.has(id));
  const fixes = [
    ...(await listPositions(db, tenant, precise, { accuracy: 'precise', notBefore: undefined })),
    ...(await listPositions(db, tenant, coarse, { accuracy: 'coarse', notBefore: undefined })),
  ];
  const names = new Map(devices.map(({ deviceId, name }) => [deviceId, name]));
  return fixes.map((fix) => ({ ...fix, name: names.get(fix.deviceId) ?? '' }));
}

/** Where the devices of an account were last located. Asks no network, and costs nothing. */
export async function listFleetPositions(
  ctx: Ctx,
  tenant: Tenant,
  page: { readonly after: string; readonly limit: number },
): Promise<{ readonly positions: readonly FleetPosition[]; readonly next: string | undefined }> {
  await requireRegistered(ctx, tenant);
  const devices = await listLocatable(ctx.db, tenant, page);
  const next = devices.length === page.limit ? devices.at(-1)?.listNumber : undefined;
  return { positions: await knownOf(ctx, tenant, devices), next };
}

/** What has changed of it since; `more` where that is too much for one answer. */
export async function listPositionNews(
  ctx: Ctx,
  tenant: Tenant,
  asked: { readonly since: Date; readonly limit: number },
): Promise<{ readonly positions: readonly FleetPosition[]; readonly more: boolean }> {
  await requireRegistered(ctx, tenant);
  const devices = await listLocatedSince(ctx.db, tenant, asked);
  return { positions: await knownOf(ctx, tenant, devices), more: devices.length === asked.limit };
}

interface FleetDevice {
  readonly deviceId: string;
  readonly listNumber: string;
  readonly name: string;
}

const SHOWN = sql`d.device_id as "deviceId", d.list_number::text as "listNumber", ${SHOWN_NAME} as name`;

/** Devices of the account that can be located at all, in the order in which they were added. */
const listLocatable = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { readonly after: string; readonly limit: number },
) =>
  db.many<FleetDevice>(sql`
    select ${SHOWN} from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor' and d.iot
      and d.state <> 'deactive' and d.list_number > ${after}::bigint
    order by d.list_number limit ${limit}`);

/** Those of them whose position came to be known since; every one has a coarse form, so that one row speaks for a device. */
const listLocatedSince = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { since, limit }: { readonly since: Date; readonly limit: number },
) =>
  db.many<FleetDevice>(sql`
    select ${SHOWN} from device_position p
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = p.device_id
    where p.ecpd_id = ${ecpdId} and p.accuracy like 'coarse' and p.received_at >= ${since} and d.account_name = ${accountName}
      and d.kind <> 'sensor' and d.iot and d.state <> 'deactive'
    order by p.received_at limit ${limit}`);
