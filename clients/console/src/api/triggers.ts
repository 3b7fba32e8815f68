import { get, ofAccount, send } from './http.ts';
import type { Firing } from './overview.ts';

export type Content = Readonly<Record<string, unknown>>;

export interface PricePlanTrigger {
  readonly triggerId: string;
  readonly triggerName: string;
  readonly accountName: string;
  readonly pricePlanTrigger?: Content;
  readonly notification?: Content;
  readonly active: boolean;
  readonly createdAt: string;
  readonly modifiedAt: string;
}

export interface PricePlanBody {
  readonly triggerName: string;
  readonly pricePlanTrigger: Content;
  readonly notification: Content;
  readonly active: boolean;
}

export interface UsageTrigger {
  readonly triggerId: string;
  readonly triggerName: string;
  readonly serviceName: string;
  readonly thresholdValue: string;
  readonly allowExcess: boolean;
  readonly sendSmsNotification: boolean;
  readonly smsPhoneNumbers: string;
  readonly sendEmailNotification: boolean;
  readonly emailAddresses: string;
  readonly createDate: string;
  readonly updateDate: string;
}
export type UsageBody = Partial<Omit<UsageTrigger, 'triggerId' | 'createDate' | 'updateDate'>>;

export interface TriggerAction {
  readonly accountName: string;
  readonly kind: string;
  readonly state: string;
  readonly deviceCount: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly reason?: string;
  readonly requestIds: readonly string[];
}

export interface TriggerFiring extends Firing {
  readonly cycle: { readonly from: string; readonly to: string };
  readonly usageRecordId: string | null;
  readonly ruleVersion: number;
  readonly actions: readonly TriggerAction[];
}

export interface TriggerOptions {
  readonly plans: readonly { readonly code: string; readonly name: string; readonly kind: string }[];
  readonly groups: readonly { readonly id: number; readonly planCodes: readonly string[] }[];
  readonly notificationGroups: readonly string[];
  readonly services: readonly string[];
}

export interface PastFiring {
  readonly subject: string;
  readonly deviceIds?: readonly { readonly id: string; readonly kind: string }[];
  readonly accountName: string;
  readonly level: number;
  readonly levelKind: string;
  readonly at: string;
  readonly before: number;
  readonly after: number;
  readonly threshold: number;
  readonly late: boolean;
  readonly action: {
    readonly type: string;
    readonly suspendDuration?: string;
    readonly toCarrierServicePlanCode?: string;
    readonly fromAccounts?: readonly string[];
    readonly moves?: readonly { readonly fromCarrierCode: string; readonly toCarrierCode: string }[];
  };
}

export type TriggerKind = 'price-plan' | 'usage';
const pathOf = (accountName: string, rest: string): string => ofAccount(accountName, `/triggers/${rest}`);

export const readTriggerOptions = (accountName: string, signal?: AbortSignal) =>
  get<TriggerOptions>(pathOf(accountName, 'options'), {}, signal);

export const listPricePlanTriggers = (accountName: string, page?: string, signal?: AbortSignal) =>
  get<{ triggers: readonly PricePlanTrigger[]; next?: string }>(
    pathOf(accountName, 'price-plan'),
    { page },
    signal,
  );

export const readPricePlanTrigger = (accountName: string, triggerId: string, signal?: AbortSignal) =>
  get<PricePlanTrigger>(pathOf(accountName, `price-plan/${triggerId}`), {}, signal);

export const createPricePlanTrigger = (accountName: string, body: PricePlanBody) =>
  send<{ triggerId: string }>('POST', pathOf(accountName, 'price-plan'), body);

export const changePricePlanTrigger = (
  accountName: string,
  triggerId: string,
  change: Partial<PricePlanBody>,
) => send<{ triggerId: string }>('PATCH', pathOf(accountName, `price-plan/${triggerId}`), change);

export const listUsageTriggers = (accountName: string, signal?: AbortSignal) =>
  get<{ triggers: readonly UsageTrigger[] }>(pathOf(accountName, 'usage'), {}, signal);

export const createUsageTrigger = (accountName: string, body: UsageBody) =>
  send<UsageTrigger>('POST', pathOf(accountName, 'usage'), body);

export const changeUsageTrigger = (accountName: string, triggerId: string, body: UsageBody) =>
  send<UsageTrigger>('PATCH', pathOf(accountName, `usage/${triggerId}`), body);

export const deleteTrigger = (accountName: string, kind: TriggerKind, triggerId: string) =>
  send('DELETE', pathOf(accountName, `${kind}/${triggerId}`));

export const listFirings = (
  accountName: string,
  { kind, triggerId }: { readonly kind: TriggerKind; readonly triggerId: string },
  page?: string,
  signal?: AbortSignal,
) =>
  get<{ firings: readonly TriggerFiring[]; next?: string }>(
    pathOf(accountName, `${kind}/${triggerId}/firings`),
    { page },
    signal,
  );

export const judgeFiring = (accountName: string, firingId: string, word: 'approve' | 'reject') =>
  send('POST', pathOf(accountName, `firings/${firingId}/${word}`));

export const backtest = (
  accountName: string,
  pricePlanTrigger: Content,
  period: { readonly from: string; readonly to: string },
) =>
  send<{ firings: readonly PastFiring[]; truncated: boolean }>('POST', pathOf(accountName, 'backtest'), {
    pricePlanTrigger,
    period,
  });
