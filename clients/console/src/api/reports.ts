import type { Answer, Body } from '../../../sdk/index.ts';
import { call } from './client.ts';

const REPORTS = 'GET /loc/v1/locationreports/{accountName}';
const CREATE = 'POST /loc/v1/locationreports/{accountName}';
const REPORT = 'GET /loc/v1/locationreports/{accountName}/report/{txid}';

export type Report = Answer<typeof REPORTS>['reports'][number];
export type ReportPage = Answer<typeof REPORT>;
export type ReportEntry = ReportPage['entries'][number];
export type NewReport = Body<typeof CREATE>;

export const listReports = (accountName: string, page?: string, signal?: AbortSignal) =>
  call(REPORTS, { path: { accountName }, query: { page }, signal });

const createReport = (accountName: string, report: NewReport) =>
  call(CREATE, { path: { accountName }, body: report });

/** Most devices in one report. */
const DEVICES_MAX = 10_000;

function partsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / DEVICES_MAX);
  return Array.from({ length: count }, (_, n) => all.slice(n * DEVICES_MAX, (n + 1) * DEVICES_MAX));
}

/** Each part is a separate report, and a later failure does not undo it. */
export async function createReports(
  accountName: string,
  { deviceList, deviceIds, ...wishes }: NewReport,
  onMade: (count: number) => void,
): Promise<readonly string[]> {
  const made: string[] = [];
  const create = async (report: NewReport) => {
    const { txid, next } = await createReport(accountName, { ...wishes, ...report });
    made.push(txid);
    onMade(made.length);
    return next;
  };
  if (deviceList !== undefined)
    for (const part of partsOf(deviceList)) await create({ deviceList: [...part] });
  else if (deviceIds !== undefined)
    for (const part of partsOf(deviceIds)) await create({ deviceIds: [...part] });
  else for (let after: string | undefined = '0'; after !== undefined; ) after = await create({ after });
  return made;
}

export const readReport = (accountName: string, txid: string, page?: number, signal?: AbortSignal) =>
  call(REPORT, { path: { accountName, txid }, query: { page }, signal });

export const cancelReport = (accountName: string, txid: string) =>
  call('DELETE /loc/v1/locationreports/{accountName}/report/{txid}', { path: { accountName, txid } });

/** Reads all pages one by one; a report has at most ten. */
export async function readWholeReport(accountName: string, txid: string): Promise<readonly ReportEntry[]> {
  const entries: ReportEntry[] = [];
  let page: number | undefined = 0;
  while (page !== undefined) {
    const read: ReportPage = await readReport(accountName, txid, page);
    entries.push(...read.entries);
    page = read.next;
  }
  return entries;
}
