import type { Answer, Body } from '../../../sdk/index.ts';
import { call } from './client.ts';

const REPORTS = 'GET /console/v1/accounts/{accountName}/location-reports';
const CREATE = 'POST /console/v1/accounts/{accountName}/location-reports';
const REPORT = 'GET /console/v1/accounts/{accountName}/location-reports/{txid}';

export type Report = Answer<typeof REPORTS>['reports'][number];
export type ReportPage = Answer<typeof REPORT>;
export type ReportEntry = ReportPage['entries'][number];
export type NewReport = Body<typeof CREATE>;

export const listReports = (accountName: string, page?: string, signal?: AbortSignal) =>
  call(REPORTS, { path: { accountName }, query: { page }, signal });

export const createReport = (accountName: string, report: NewReport) =>
  call(CREATE, { path: { accountName }, body: report });

export const readReport = (accountName: string, txid: string, page?: number, signal?: AbortSignal) =>
  call(REPORT, { path: { accountName, txid }, query: { page }, signal });

export const cancelReport = (accountName: string, txid: string) =>
  call('DELETE /loc/v1/locationreports/{accountName}/report/{txid}', { path: { accountName, txid } });

/** All pages, one after the other; a report has ten of them at most. */
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
