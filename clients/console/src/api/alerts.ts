import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const ALERTS = 'GET /console/v1/accounts/{accountName}/smart-alerts';
export type SmartAlert = Answer<typeof ALERTS>['alerts'][number];
export type AlertFilter = Pick<Query<typeof ALERTS>, 'state' | 'deviceId'>;

export const listAlerts = (accountName: string, filter: AlertFilter, page?: string, signal?: AbortSignal) =>
  call(ALERTS, { path: { accountName }, query: { ...filter, page }, signal });

export const acknowledgeAlerts = (accountName: string, ids: readonly string[], acknowledged: boolean) =>
  call('POST /console/v1/accounts/{accountName}/smart-alerts/acknowledge', {
    path: { accountName },
    body: { ids, acknowledged },
  });
