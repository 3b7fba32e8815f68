export const MB = 1024 ** 2;
export const PLAN = 'LK-SCENARIO-5MB';

/** The digit that makes the sum of an IMEI right. */
function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, n) => {
    const value = Number(digit) * (n % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Of a type that the living fleet leaves alone. */
export const imeiOf = (scenario: number, n: number): string => {
  const digits = `997200${String(scenario).padStart(2, '0')}${String(n).padStart(6, '0')}`;
  return `${digits}${checkDigit(digits)}`;
};

export interface Part {
  /** Its number among the scenarios: profile, account and identifiers follow from it. */
  readonly scenario: number;
  readonly devices: number;
  readonly listens?: readonly string[];
}

export const accountOf = (scenario: number): string => `00009600${String(scenario).padStart(2, '0')}-00001`;
export const profileOf = (scenario: number): string => `96000${String(scenario).padStart(2, '0')}`;
export const userOf = (scenario: number) => ({
  clientId: 'scenario-app',
  clientSecret: 'scenario-app-secret',
  username: `scenario-user-${scenario}`,
  password: 'scenario-user-password',
});

/** An account of one scenario alone, with everything that most of them need. */
export function castOf({ scenario, devices, listens = [] }: Part, listenerUrl: string, now: Date) {
  const [ecpdId, accountName] = [profileOf(scenario), accountOf(scenario)];
  const { clientId, clientSecret, username, password } = userOf(scenario);
  return {
    profiles: [{ ecpdId }],
    accounts: [{ accountName, ecpdId, timeZone: 'UTC', billCycleDay: 1, locationRegistered: true }],
    clients: [{ clientId, clientSecret }],
    users: [{ username, password, accounts: [accountName] }],
    plans: [
      {
        code: PLAN,
        carrierServicePlanCode: PLAN,
        name: 'Of the scenarios, 5 MB',
        kind: 'payAsYouGo',
        allowanceBytes: 5 * MB,
        ratePerMb: 0.5,
      },
    ],
    devices: Array.from({ length: devices }, (_, n) => ({
      accountName,
      imei: imeiOf(scenario, n + 1),
      state: 'active',
      servicePlan: PLAN,
      planSince: new Date(now.getTime() - 60 * 86_400_000).toISOString(),
      record: { name: `Scenario device ${n + 1}` },
    })),
    listeners: listens.map((serviceName) => ({ accountName, serviceName, url: listenerUrl })),
  };
}

/** Tells once a month, for each line that goes beyond so many MB. */
export const monthlyTrigger = (scenario: number, triggerId: string, megabytes: number) => ({
  triggerId,
  triggerName: `Scenario: beyond ${megabytes} MB`,
  ecpdId: profileOf(scenario),
  triggerCategory: 'PricePlanDataUsage',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: PLAN, accountNameList: [accountOf(scenario)] },
      condition: {
        conditionType: 'Individual',
        comparator: 'gt',
        threshold: megabytes,
        thresholdUnit: 'MB',
        cycleType: 'Monthly',
      },
      action: { suspend: false, changePlan: false },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true, emailNotification: false },
  active: true,
});
