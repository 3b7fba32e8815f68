import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { findLastFix } from '../locations/index.ts';
import { findLastUsage } from '../usage/index.ts';
import { findOneDevice } from './querying/find-device.ts';
import type { ResourceIdentifier } from './querying/schemas.ts';

/** When a device last reported in one way; undefined if it never did. */
export type FindReport = (db: Db, tenant: Tenant, deviceId: string) => Promise<Date | undefined>;

/** By event name. Later features know more events; `app` passes those in. */
export type Reports = Readonly<Record<string, FindReport>>;

const OWN: Reports = { usage: findLastUsage, location: findLastFix };

interface LastReport {
  readonly event: string | null;
  readonly timestamp: string | null;
}

/** The newest report of a device that the service knows: usage, a position fix, and the events in `more`. */
export async function findLastReport(
  { db }: Ctx,
  tenant: Tenant,
  resource: ResourceIdentifier,
  more: Reports,
): Promise<LastReport> {
  const { id } = await findOneDevice(db, tenant, resource);
  const found = await Promise.all(
    Object.entries({ ...OWN, ...more }).map(async ([event, find]) => ({
      event,
      at: await find(db, tenant, id),
    })),
  );
  const [last] = found
    .flatMap(({ event, at }) => (at === undefined ? [] : [{ event, at }]))
    .sort((a, b) => b.at.getTime() - a.at.getTime());
  return { event: last?.event ?? null, timestamp: last?.at.toISOString() ?? null };
}
