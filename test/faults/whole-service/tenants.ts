/** Groups of devices by what is done to them, so that no part of the workload changes what another expects. */
const GROUPS = { fed: 20, changed: 20, watched: 6, located: 20 } as const;
export type Group = keyof typeof GROUPS;

export interface Tenant {
  readonly n: number;
  readonly ecpdId: string;
  readonly accountName: string;
  readonly user: { readonly username: string; readonly password: string };
  readonly devices: Readonly<Record<Group, readonly string[]>>;
  readonly deviceCount: number;
}

const imeis = (tenant: number, group: number, count: number) =>
  Array.from({ length: count }, (_, n) => `99${tenant}${group}${String(n).padStart(11, '0')}`);

const makeTenant = (n: number): Tenant => {
  const devices = Object.fromEntries(
    Object.entries(GROUPS).map(([group, count], g) => [group, imeis(n, g, count)]),
  ) as Record<Group, string[]>;
  return {
    n,
    ecpdId: `910000${n}`,
    accountName: `000091000${n}-00001`,
    user: { username: `user-${n}`, password: `password-of-user-${n}` },
    devices,
    deviceCount: Object.values(devices).flat().length,
  };
};

export const TENANTS: readonly Tenant[] = [1, 2, 3].map(makeTenant);

const MARKS = /\b99(\d)\d{12}\b|\b000091000(\d)-00001\b|\buser-(\d)\b/g;

/** Whose identifiers stand in a text beside those of this tenant. */
export function strangersIn(text: string, { n }: Tenant): string[] {
  return [...text.matchAll(MARKS)]
    .filter(([, ...numbers]) => Number(numbers.find((number) => number !== undefined)) !== n)
    .map(([mark]) => mark);
}

export const CLIENT = { clientId: 'app', clientSecret: 'app-secret-1' };
/** Its listener never acknowledges anything, so that all four attempts are seen. */
export const HOPELESS = 'StateService';
/** Of events that the operator sends. */
export const EVENT_SERVICES = [HOPELESS, 'NetworkEventService', 'Fota'] as const;
export const SERVICES = [
  ...EVENT_SERVICES,
  'AlertService',
  'CarrierService',
  'Location',
  'consentEnableReport',
  'DeviceUsage',
] as const;
export const laneOf = ({ accountName }: Tenant, service: string) => `${accountName}/${service}`;

/** Percent of the uses of a service that are allowed. */
export const LEVELS = [20, 40, 60, 80, 100];
export const ALERT_KB = 20;
export const SUSPEND_KB = 40;

const pricePlanTrigger = (
  { ecpdId, accountName }: Tenant,
  triggerName: string,
  kb: number,
  action: object,
) => ({
  triggerName,
  ecpdId,
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'FED', accountNameList: [accountName] },
      condition: {
        conditionType: 'Individual',
        comparator: 'gt',
        threshold: kb,
        thresholdUnit: 'KB',
        cycleType: 'Monthly',
      },
      action,
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
});
const SUSPENDS = { suspend: true, suspendDetails: { suspendDuration: '30', suspendOption: 'WithBilling' } };
const PLAN_OF: Readonly<Record<Group, string>> = {
  fed: 'FED',
  changed: 'ONE',
  watched: 'ONE',
  located: 'ONE',
};

/** The fleet document of all tenants. */
export const fleetOf = (usesAllowed: number, urlOf: (accountName: string, service: string) => string) => ({
  profiles: TENANTS.map(({ ecpdId }) => ({ ecpdId })),
  accounts: TENANTS.map(({ ecpdId, accountName }) => ({
    ecpdId,
    accountName,
    aggregatedBilling: true,
    locationRegistered: true,
  })),
  clients: [CLIENT],
  users: TENANTS.map(({ user, accountName }) => ({ ...user, accounts: [accountName] })),
  plans: ['FED', 'ONE', 'TWO'].map((code) => ({ code, name: code, kind: 'payAsYouGo', ratePerMb: 1 })),
  devices: TENANTS.flatMap(({ accountName, devices }) =>
    Object.entries(devices).flatMap(([group, list]) =>
      list.map((imei) => ({
        accountName,
        imei,
        servicePlan: PLAN_OF[group as Group],
        planSince: '2026-01-01T00:00:00Z',
        simulation: { delayMs: 100, position: { lat: 40, lon: -90, radius: 100 } },
      })),
    ),
  ),
  subscriptions: TENANTS.flatMap(({ accountName }) => [
    { accountName, serviceName: 'Location', skuName: 'SVC-LOC-COARSE-CellID-5K' },
    { accountName, serviceName: 'fota', skuName: 'fota', allowance: usesAllowed },
  ]),
  usageTriggers: TENANTS.flatMap(({ accountName }) =>
    LEVELS.map((percent) => ({
      accountName,
      triggerName: `${percent} percent`,
      serviceName: 'fota',
      thresholdValue: String(percent),
    })),
  ),
  pricePlanTriggers: TENANTS.flatMap((tenant) => [
    pricePlanTrigger(tenant, 'alerts', ALERT_KB, {}),
    pricePlanTrigger(tenant, 'suspends', SUSPEND_KB, SUSPENDS),
  ]),
  rules: TENANTS.flatMap(({ accountName, devices }) =>
    devices.watched.map((deviceImei) => ({
      accountName,
      deviceImei,
      name: 'hot',
      rulesyntax: 'json',
      rulechain: { when: { field: 't', operator: 'gt', value: 30 } },
    })),
  ),
  listeners: TENANTS.flatMap(({ accountName }) =>
    SERVICES.map((serviceName) => ({ accountName, serviceName, url: urlOf(accountName, serviceName) })),
  ),
});
