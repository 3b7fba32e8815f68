import type { Answer, Query } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';

const AUDIT = 'GET /operator/v1/audit';

export type AuditEntry = Answer<typeof AUDIT>[number];
export type AuditFilter = Pick<Query<typeof AUDIT>, 'actor' | 'action' | 'accountName' | 'changes'>;

export const readActions = (signal?: AbortSignal) => call('GET /operator/v1/actions', { signal });
export const setActions = (paused: boolean) =>
  call(paused ? 'POST /operator/v1/actions/pause' : 'POST /operator/v1/actions/resume');

export async function listAudit(filter: AuditFilter, page?: string, signal?: AbortSignal) {
  const { data, headers } = await request(AUDIT, { query: { ...filter, page }, signal });
  return { entries: data, ...nextOf(headers) };
}
