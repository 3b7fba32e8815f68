import { get, ofAccount, send } from './http.ts';

export interface SmartAlert {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly deviceid: string;
  readonly state: 'raised' | 'cleared';
  readonly raisedon: string;
  readonly clearedon: string | null;
  readonly clearedreason: string | null;
  readonly acknowledged: boolean;
  readonly acknowledgedby: string | null;
  readonly acknowledgedon: string | null;
}

export interface AlertFilter {
  readonly state?: string;
  readonly deviceId?: string;
}

export const listAlerts = (accountName: string, filter: AlertFilter, page?: string, signal?: AbortSignal) =>
  get<{ alerts: readonly SmartAlert[]; next?: string }>(
    ofAccount(accountName, '/smart-alerts'),
    { ...filter, page },
    signal,
  );

export const acknowledgeAlerts = (accountName: string, ids: readonly string[], acknowledged: boolean) =>
  send('POST', ofAccount(accountName, '/smart-alerts/acknowledge'), { ids, acknowledged });
