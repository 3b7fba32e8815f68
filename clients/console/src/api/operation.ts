import type { Answer, Body, Query } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';

const AUDIT = 'GET /operator/v1/audit';
const MOVE = 'POST /operator/v1/clock';

export type Move = Answer<typeof MOVE>;
export type AuditEntry = Answer<typeof AUDIT>[number];
export type AuditFilter = Pick<Query<typeof AUDIT>, 'actor' | 'action' | 'accountName'>;

export const readClock = (signal?: AbortSignal) => call('GET /operator/v1/clock', { signal });
/** The service holds its answer back for a minute before it says that it goes on. */
const MOVE_MS = 90_000;
export const moveClock = (move: Body<typeof MOVE>) => call(MOVE, { body: move, timeoutMs: MOVE_MS });

export const readActions = (signal?: AbortSignal) => call('GET /operator/v1/actions', { signal });
export const setActions = (paused: boolean) =>
  call(paused ? 'POST /operator/v1/actions/pause' : 'POST /operator/v1/actions/resume');

export async function listAudit(filter: AuditFilter, page?: string, signal?: AbortSignal) {
  const { data, headers } = await request(AUDIT, { query: { ...filter, page }, signal });
  return { entries: data, ...nextOf(headers) };
}
