import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { parsePagePlace, toPagePlace } from '../../platform/http/page-place.ts';
import { type EntryWriter, type LocateBody, parseLocateRequest } from '../locations/index.ts';
import { createRequest, type RequestDeps } from './create-request.ts';
import { getReport } from './get-report.ts';
import { DEVICES_MAX, keptSince, PAGE } from './location-request.ts';
import { countStates, listFleetIds, listIdsOf, listReports } from './sql-listing.ts';

export async function listReportsPage(
  { db, now }: Ctx,
  tenant: Tenant,
  { page, limit }: { readonly page: string | undefined; readonly limit: number },
) {
  const asked = { before: parsePagePlace(page), endedAfter: keptSince(now()), limit };
  const reports = await listReports(db, tenant, asked);
  const last = reports.length === limit ? reports.at(-1) : undefined;
  return { reports, ...(last && { next: toPagePlace({ at: last.createdAt, id: last.txid }) }) };
}

type Wishes = Omit<LocateBody, 'accountName' | 'deviceList'>;

interface Whom extends Partial<Pick<LocateBody, 'deviceList'>> {
  readonly deviceIds?: readonly string[];
  /** Where the previous part of a large fleet ended. */
  readonly after?: string;
}

/** The devices of a report: those that are named, by identifier or by record id, or the next part of all. */
async function listAsked({ db }: Ctx, tenant: Tenant, { deviceList, deviceIds, after = '0' }: Whom) {
  if (deviceList !== undefined) return { list: deviceList, next: undefined };
  if (deviceIds !== undefined) return { list: await listIdsOf(db, tenant, deviceIds), next: undefined };
  // One more than a report may have shows whether another part follows.
  const found = await listFleetIds(db, tenant, { after, limit: DEVICES_MAX + 1 });
  const list = found.slice(0, DEVICES_MAX);
  return { list, next: found.length > DEVICES_MAX ? list.at(-1)?.listNumber : undefined };
}

/** Without a list it locates every device that can be located, in as many reports as needed: `next` begins the next one. */
export async function createReport(
  ctx: Ctx,
  tenant: Tenant,
  { deviceList, deviceIds, after, ...wishes }: Wishes & Whom,
  deps: RequestDeps,
) {
  const { list, next } = await listAsked(ctx, tenant, {
    ...(deviceList && { deviceList }),
    ...(deviceIds && { deviceIds }),
    ...(after !== undefined && { after }),
  });
  const named = list.map(({ id, kind }) => ({ id, kind }));
  const { accountName } = tenant;
  const asked = { ...wishes, accountName, deviceList: deviceList ?? named };
  const request = parseLocateRequest(asked, DEVICES_MAX);
  return {
    ...(await createRequest(ctx, tenant, { answeredBy: 'report', request }, deps)),
    ...(next && { next }),
  };
}

export const getReportPage = (
  outer: Ctx,
  tenant: Tenant,
  { txid, from }: { readonly txid: string; readonly from: number },
  write: EntryWriter,
) =>
  inTx(outer, async (ctx) => {
    const { request, entries } = await getReport(ctx, tenant, txid, from);
    const { accuracy, status, totalCount, cacheMode } = request;
    return {
      ...{ txid: request.txid, accuracy, status, totalCount },
      ...(await countStates(ctx.db, tenant, request.txid)),
      entries: entries.map(({ deviceId, msid, outcome }) => ({
        deviceId,
        ...write.entry(msid, outcome, cacheMode),
      })),
      ...(from + PAGE < totalCount && { next: from + PAGE }),
    };
  });
