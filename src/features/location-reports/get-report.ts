import { isUuid } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { listWithheld, type Withheld } from '../consents/index.ts';
import { CONSENT_FAILED, type DeviceFailure, locationFaults, NOT_ALLOWED } from '../locations/index.ts';
import { requestFaults } from './errors.ts';
import { type AnsweredBy, keptSince, type LocationRequest, PAGE } from './location-request.ts';
import { type Entry, listEntries } from './sql-entry.ts';
import { findRequest } from './sql-request.ts';

/** Another account's request is refused like one that does not exist. */
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
  /** As they may be shown now. */
  readonly entries: readonly Entry[];
}

/** The current consent decides what is shown, not the consent at the time of the query. */
export async function getReport(ctx: Ctx, tenant: Tenant, txid: string, from: number): Promise<ReportPage> {
  const request = await findKnownRequest(ctx, tenant, txid, 'report');
  if (from >= request.totalCount)
    refuse(locationFaults.inputBinding, { reason: `startIndex must be below ${request.totalCount}` });
  const now = ctx.now();
  const entries = await listEntries(ctx.db, tenant, request.txid, { from, limit: PAGE, now });
  const ids = entries.map(({ deviceId }) => deviceId);
  const withheld = await listWithheld(ctx.db, tenant, ids, request.accuracy);
  return { request, entries: entries.map((entry) => shownEntry(entry, withheld.get(entry.deviceId), now)) };
}

/** The failure shown for a device that may not be located now. An exclusion takes precedence over a level. */
export const withheldFailure = (withheld: Withheld, deniedWhenAsked: boolean): DeviceFailure =>
  withheld === 'denied' && deniedWhenAsked ? NOT_ALLOWED : CONSENT_FAILED;

/**
 * Hides the entry's content while consent is missing, and shows all of it when consent returns. Of a line that the account
 * does not have, only a position is hidden: the entry's failure says nothing about where the line is.
 */
function shownEntry(entry: Entry, withheld: Withheld | undefined, at: Date): Entry {
  const { outcome } = entry;
  const hasPosition = outcome !== undefined && 'fix' in outcome;
  if (withheld === undefined || (withheld === 'lost' && !hasPosition)) return entry;
  return { ...entry, outcome: { failure: withheldFailure(withheld, entry.deniedWhenAsked), at } };
}
