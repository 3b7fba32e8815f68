import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import {
  countStates,
  createRequest,
  DEVICES_MAX,
  getReport,
  keptSince,
  type ListedAfter,
  listFleetIds,
  listReports,
  PAGE,
  type RequestDeps,
} from '../../location-reports/index.ts';
import { type EntryWriter, type LocateBody, parseLocateRequest } from '../../locations/index.ts';

function parsePage(page: string | undefined): ListedAfter | undefined {
  if (page === undefined) return undefined;
  const [ms, txid] = page.split('~');
  return { createdAt: new Date(Number(ms)), txid: txid! };
}

export async function listReportsPage(
  { db, now }: Ctx,
  tenant: Tenant,
  { page, limit }: { readonly page: string | undefined; readonly limit: number },
) {
  const asked = { after: parsePage(page), endedAfter: keptSince(now()), limit };
  const reports = await listReports(db, tenant, asked);
  const last = reports.length === limit ? reports.at(-1) : undefined;
  return { reports, ...(last && { next: `${last.createdAt.getTime()}~${last.txid}` }) };
}

/** Without a list it is about every device that can be located; one more than allowed is refused as a list of them is. */
export async function createReport(
  ctx: Ctx,
  tenant: Tenant,
  {
    deviceList,
    ...wishes
  }: Partial<Pick<LocateBody, 'deviceList'>> & Omit<LocateBody, 'accountName' | 'deviceList'>,
  deps: RequestDeps,
) {
  const list = deviceList ?? (await listFleetIds(ctx.db, tenant, DEVICES_MAX + 1));
  const { accountName } = tenant;
  const request = parseLocateRequest({ ...wishes, accountName, deviceList: [...list] }, DEVICES_MAX);
  return createRequest(ctx, tenant, { answeredBy: 'report', request }, deps);
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
