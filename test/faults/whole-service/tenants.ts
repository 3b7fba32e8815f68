/** Groups of devices by the changes made to them, so that no part of the workload changes what another expects. */
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

/** Lists the identifiers in a text that belong to other tenants. */
export function strangersIn(text: string, { n }: Tenant): string[] {
  return [...text.matchAll(MARKS)]
    .filter(([, ...numbers]) => Number(numbers.find((number) => number !== undefined)) !== n)
    .map(([mark]) => mark);
}

export const CLIENT = { clientId: 'app', clientSecret: 'app-secret-1' };
/** Its listener never acknowledges anything, so all four attempts can be checked. */
export const HOPELESS = 'StateService';
/** Services of the events that the operator sends. */
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

const PLAN_OF: Readonly<Record<Group, string>> = {
  fed: 'FED',
  changed: 'ONE',
  watched: 'ONE',
  located: 'IDLE',
};
/** Percentages of the allowed uses of a service. */
export const LEVELS = [20, 40, 60, 80, 100];
const SUSPENDS = { suspend: true, suspendDetails: { suspendDuration: '30', suspendOption: 'WithBilling' } };
const KB = 1_024;

interface PricePlanTrigger {
  readonly name: string;
  readonly group: Group;
  readonly comparator: 'gt' | 'lt';
  readonly kb: number;
  readonly cycle: 'Daily' | 'Monthly';
  readonly action: object;
  /** The number of actions of each firing. */
  readonly actions: number;
  /** The number of firings for each line. */
  readonly times: number;
}

const TELLS = { action: {}, actions: 0 };
/** All thresholds differ, so a firing's threshold identifies its trigger. */
export const PRICE_PLAN_TRIGGERS: readonly PricePlanTrigger[] = [
  { name: 'alerts', group: 'fed', comparator: 'gt', kb: 20, cycle: 'Monthly', times: 1, ...TELLS },
  {
    ...{ name: 'suspends', group: 'fed', comparator: 'gt', kb: 40, cycle: 'Monthly', times: 1 },
    ...{ action: SUSPENDS, actions: 1 },
  },
  // These lines have no usage, so each end of a cycle finds all of them below the threshold.
  { name: 'idle day', group: 'located', comparator: 'lt', kb: 1, cycle: 'Daily', times: 2, ...TELLS },
  { name: 'idle month', group: 'located', comparator: 'lt', kb: 2, cycle: 'Monthly', times: 1, ...TELLS },
];

export const triggerOfLevel = (bytes: number): PricePlanTrigger | undefined =>
  PRICE_PLAN_TRIGGERS.find(({ kb }) => kb * KB === bytes);

const pricePlanTrigger = (
  { ecpdId, accountName }: Tenant,
  { name: triggerName, group, comparator, kb, cycle, action }: PricePlanTrigger,
) => ({
  triggerName,
  ecpdId,
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: PLAN_OF[group], accountNameList: [accountName] },
      condition: {
        conditionType: 'Individual',
        comparator,
        threshold: kb,
        thresholdUnit: 'KB',
        cycleType: cycle,
      },
      action,
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
});

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
  plans: ['FED', 'IDLE', 'ONE', 'TWO'].map((code) => ({
    code,
    name: code,
    kind: 'payAsYouGo',
    ratePerMb: 1,
  })),
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
  pricePlanTriggers: TENANTS.flatMap((tenant) =>
    PRICE_PLAN_TRIGGERS.map((trigger) => pricePlanTrigger(tenant, trigger)),
  ),
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
