import type { Answer, Body, Query } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';

const REQUESTS = 'GET /operator/v1/requests';
const FAULTS = 'PUT /operator/v1/faults';
const SIMULATOR = 'PATCH /operator/v1/simulator';
const NETWORK = 'PATCH /operator/v1/network/simulation';

/** The service answers within a minute even if the move continues; a later answer is lost. */
const MOVE_MS = 90_000;
/** A snapshot copies and reopens the whole database. */
const SNAPSHOT_MS = 180_000;

const MOVE = 'POST /operator/v1/clock';
export type Move = Body<typeof MOVE>;
export type Moved = Answer<typeof MOVE>;
export type ClockState = Answer<'GET /operator/v1/clock'>;

export const readClock = (signal?: AbortSignal) => call('GET /operator/v1/clock', { signal });
export const moveClock = (move: Move) => call(MOVE, { body: move, timeoutMs: MOVE_MS });

export type SimulatorState = Answer<typeof SIMULATOR>;
export const readSimulator = (signal?: AbortSignal) => call('GET /operator/v1/simulator', { signal });
export const setSimulator = (body: Body<typeof SIMULATOR>) => call(SIMULATOR, { body });
export const readNetwork = (signal?: AbortSignal) => call('GET /operator/v1/network/simulation', { signal });
export type NetworkCondition = NonNullable<Body<typeof NETWORK>['condition']>;
export const setNetwork = (condition: NetworkCondition) => call(NETWORK, { body: { condition } });

export type Channel = 'mail' | 'sms';
export type Message = Answer<'GET /operator/v1/sms'>[number];
export async function listMessages(channel: Channel, page?: string, signal?: AbortSignal) {
  const route = channel === 'mail' ? 'GET /operator/v1/mail' : 'GET /operator/v1/sms';
  const { data, headers } = await request(route, { query: { page, limit: 50 }, signal });
  const messages: readonly Message[] = data;
  return { messages, ...nextOf(headers) };
}

export type LoggedCall = Answer<typeof REQUESTS>[number];
export type CallFilter = Pick<Query<typeof REQUESTS>, 'operation' | 'accountName' | 'status'>;
export async function listCalls(filter: CallFilter, page?: string, signal?: AbortSignal) {
  const { data, headers } = await request(REQUESTS, { query: { ...filter, page, limit: 50 }, signal });
  return { calls: data, ...nextOf(headers) };
}
export const readCall = (id: string, signal?: AbortSignal) =>
  call('GET /operator/v1/requests/{id}', { path: { id }, signal });

export type Snapshot = Answer<'GET /operator/v1/snapshots'>[number];
export const listSnapshots = (signal?: AbortSignal) => call('GET /operator/v1/snapshots', { signal });
export const makeSnapshot = (name: string) =>
  call('POST /operator/v1/snapshots', { body: { name }, timeoutMs: SNAPSHOT_MS });
export const restoreSnapshot = (name: string) =>
  call('POST /operator/v1/snapshots/{name}/restore', { path: { name }, timeoutMs: SNAPSHOT_MS });
export const deleteSnapshot = (name: string) =>
  call('DELETE /operator/v1/snapshots/{name}', { path: { name } });
/** Returns to the fleet of the first start. */
export const startAgain = () => call('POST /operator/v1/reset', { timeoutMs: SNAPSHOT_MS });

export type FaultRule = Body<typeof FAULTS>[number];
export type CountedRule = Answer<typeof FAULTS>[number];
export const listFaults = (signal?: AbortSignal) => call('GET /operator/v1/faults', { signal });
export const setFaults = (rules: readonly FaultRule[]) => call(FAULTS, { body: [...rules] });
