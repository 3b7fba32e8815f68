import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const POSITIONS = 'GET /console/v1/accounts/{accountName}/positions';
const CELLS = 'GET /console/v1/accounts/{accountName}/position-cells';
const HISTORY = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}/positions';

/** The nth entries of all columns belong together. */
export type Positions = Omit<Answer<typeof POSITIONS>, 'next'>;
/** The nth entry of each column describes the devices of one tone in one square of the map. */
export type PositionCells = Answer<typeof CELLS>;
export type Track = Answer<typeof HISTORY>;
export type TrackFix = Track['fixes'][number];

export const listPositions = (accountName: string, query: Query<typeof POSITIONS>, signal?: AbortSignal) =>
  call(POSITIONS, { path: { accountName }, query, signal });

export const listCells = (accountName: string, query: Query<typeof CELLS>, signal?: AbortSignal) =>
  call(CELLS, { path: { accountName }, query, signal });

const FIXES_MAX = 5_000;

/** The positions of a device since then; only the newest, if there are too many for a map. */
export const readTrack = (accountName: string, deviceId: string, from: number, signal?: AbortSignal) =>
  call(HISTORY, { path: { accountName, deviceId }, query: { from, limit: FIXES_MAX }, signal });
