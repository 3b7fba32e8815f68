import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const APPROVALS = 'GET /console/v1/accounts/{accountName}/approvals';

export type Approvals = Answer<typeof APPROVALS>;
export type Approval = Approvals['approvals'][number];

/** The pending actions of triggers, the first to expire first. */
export const listApprovals = (accountName: string, page?: string, signal?: AbortSignal): Promise<Approvals> =>
  call(APPROVALS, { path: { accountName }, query: { page }, signal });

export const countApprovals = async (accountName: string, signal?: AbortSignal): Promise<number> =>
  (await call(APPROVALS, { path: { accountName }, query: { limit: 1 }, signal })).waiting;
