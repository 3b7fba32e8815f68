import { get, ofAccount, send } from './http.ts';

export interface Report {
  readonly txid: string;
  readonly accuracy: string;
  readonly status: string;
  readonly totalCount: number;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly waiting: number;
}

export interface ReportEntry {
  readonly deviceId: string;
  readonly msid: string;
  readonly pd: { readonly x?: string; readonly y?: string; readonly radius?: string; readonly time?: string };
  readonly error: { readonly type?: string; readonly info?: string; readonly time?: string };
}

export interface ReportPage extends Pick<Report, 'txid' | 'accuracy' | 'status' | 'totalCount' | 'waiting'> {
  readonly located: number;
  readonly failed: number;
  readonly entries: readonly ReportEntry[];
  readonly next?: number;
}

export interface NewReport {
  readonly accuracyMode: string;
  readonly cacheMode: string;
  /** Absent: every device that can be located. */
  readonly deviceList?: readonly { readonly id: string; readonly kind: string }[];
}

const PATH = '/location-reports';

export const listReports = (accountName: string, page?: string, signal?: AbortSignal) =>
  get<{ reports: readonly Report[]; next?: string }>(ofAccount(accountName, PATH), { page }, signal);

export const createReport = (accountName: string, report: NewReport) =>
  send<{ txid: string; status: string }>('POST', ofAccount(accountName, PATH), report);

export const readReport = (accountName: string, txid: string, page?: number, signal?: AbortSignal) =>
  get<ReportPage>(ofAccount(accountName, `${PATH}/${txid}`), { page }, signal);

export const cancelReport = (accountName: string, txid: string) =>
  send('DELETE', ofAccount(accountName, `${PATH}/${txid}`));

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
