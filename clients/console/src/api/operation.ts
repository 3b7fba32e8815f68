import { get, send } from './http.ts';

export interface ClockState {
  readonly now: string;
  readonly offsetMs: number;
  readonly movingTo?: string;
  readonly ran?: number;
  readonly remaining?: number;
}

export interface Move {
  readonly now: string;
  readonly ran: number;
  readonly remaining?: number;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actorKind: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly accountName: string | null;
  readonly requestId: string;
  readonly status: number | null;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditFilter {
  readonly actor: string;
  readonly action: string;
  readonly accountName: string;
}

export const readClock = (signal?: AbortSignal) => get<ClockState>('/clock', {}, signal);
export const moveClock = (
  move: { readonly advance: string } | { readonly set: string } | { readonly reset: true },
) => send<Move>('POST', '/clock', move);

export const readActions = (signal?: AbortSignal) => get<{ paused: boolean }>('/actions', {}, signal);
export const setActions = (paused: boolean) => send<{ paused: boolean }>('PUT', '/actions', { paused });

export const listAudit = (filter: AuditFilter, page?: string, signal?: AbortSignal) =>
  get<{ entries: readonly AuditEntry[]; next?: string }>('/audit', { ...filter, page }, signal);
