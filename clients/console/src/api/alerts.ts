import type { Answer } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';

export type SmartAlert = Answer<'PATCH /dm/v1/smartAlerts'>;
export interface AlertFilter {
  readonly state?: SmartAlert['state'] | undefined;
  readonly deviceId?: string | undefined;
}

export async function listAlerts(
  accountName: string,
  { state, deviceId }: AlertFilter,
  page?: string,
  signal?: AbortSignal,
) {
  const { data, headers } = await request('POST /dm/v1/smartAlerts/actions/query', {
    body: {
      accountname: accountName,
      ...(deviceId !== undefined && { resourceidentifier: { deviceid: deviceId } }),
      filter: { $page: page, ...(state !== undefined && { $selection: { state } }) },
    },
    signal,
  });
  // Complete alerts, because the query selects no fields.
  return { alerts: data as SmartAlert[], ...nextOf(headers) };
}

export const acknowledgeAlerts = (accountName: string, ids: readonly string[], acknowledged: boolean) =>
  call('POST /dm/v1/smartAlerts/actions/bulkupdate', {
    body: { accountname: accountName, ids, acknowledged },
  });
