import type { Answer, Body, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const AUDIT = 'GET /console/v1/audit';
const MOVE = 'POST /console/v1/clock';

export type Move = Answer<typeof MOVE>;
export type AuditEntry = Answer<typeof AUDIT>['entries'][number];
export type AuditFilter = Pick<Query<typeof AUDIT>, 'actor' | 'action' | 'accountName'>;

export const readClock = (signal?: AbortSignal) => call('GET /console/v1/clock', { signal });
/** The service holds its answer back for a minute before it says that it goes on. */
const MOVE_MS = 90_000;
export const moveClock = (move: Body<typeof MOVE>) => call(MOVE, { body: move, timeoutMs: MOVE_MS });

export const readActions = (signal?: AbortSignal) => call('GET /console/v1/actions', { signal });
export const setActions = (paused: boolean) => call('PUT /console/v1/actions', { body: { paused } });

export const listAudit = (filter: AuditFilter, page?: string, signal?: AbortSignal) =>
  call(AUDIT, { query: { ...filter, page }, signal });
