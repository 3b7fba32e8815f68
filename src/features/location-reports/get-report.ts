import { isUuid } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { listWithheld, type Withheld } from '../consents/index.ts';
import { CONSENT_FAILED, type DeviceFailure, locationFaults, NOT_ALLOWED } from '../locations/index.ts';
import { requestFaults } from './errors.ts';
import { type AnsweredBy, keptSince, type LocationRequest, PAGE } from './location-request.ts';
import { type Entry, listEntries } from './sql-entry.ts';
import { findRequest } from './sql-request.ts';

/** Another account's request is as unknown as one that never was. */
export async function findKnownRequest(
  { db, now }: Ctx,
  tenant: Tenant,
  txid: string,
  answeredBy: AnsweredBy,
): Promise<LocationRequest> {
  const found = isUuid(txid)
    ? await findRequest(db, tenant, { txid, answeredBy, endedAfter: keptSince(now()) })
    : undefined;
  return found ?? refuse(requestFaults.notFound);
}

interface ReportPage {
  readonly request: LocationRequest;
  /** As they read now. */
  readonly entries: readonly Entry[];
}

/** Everything is given out under the consent that holds now, not the one under which it was found out. */
export async function getReport(ctx: Ctx, tenant: Tenant, txid: string, from: number): Promise<ReportPage> {
  const request = await findKnownRequest(ctx, tenant, txid, 'report');
  if (from >= request.totalCount)
    refuse(locationFaults.inputBinding, { reason: `startIndex must be below ${request.totalCount}` });
  const entries = await listEntries(ctx.db, tenant, request.txid, { from, limit: PAGE });
  const ids = entries.map(({ deviceId }) => deviceId);
  const withheld = await listWithheld(ctx.db, tenant, ids, request.accuracy);
  const now = ctx.now();
  return { request, entries: entries.map((entry) => shownEntry(entry, withheld.get(entry.deviceId), now)) };
}

/** How it reads that a device may not be located now. An exclusion goes before a level. */
export const withheldFailure = (withheld: Withheld, deniedWhenAsked: boolean): DeviceFailure =>
  withheld === 'denied' && deniedWhenAsked ? NOT_ALLOWED : CONSENT_FAILED;

/** What is shown is decided when it is shown: without consent nothing that the entry holds, with it again all of it. */
const shownEntry = (entry: Entry, withheld: Withheld | undefined, at: Date): Entry =>
  withheld === undefined
    ? entry
    : { ...entry, outcome: { failure: withheldFailure(withheld, entry.deniedWhenAsked), at } };
