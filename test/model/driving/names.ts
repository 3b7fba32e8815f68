import type { Case } from '../case.ts';
import { iso, nameOf } from '../outcome.ts';

/** The names of a case's objects in the service. Plays share none. */
export interface Names {
  readonly ecpdId: string;
  readonly group: number;
  account(n: number): string;
  imei(line: number): string;
  deviceId(line: number): string;
  /** Converts back to the names of the case. */
  fromAccount(name: string): string;
  fromSubject(subject: string): string;
  fromImei(imei: string): string;
}

export function namesFor(play: number, { accounts, lines }: Case): Names {
  const own = String(play).padStart(6, '0');
  const group = 7;
  const account = (n: number) => `0001${own}-0000${n + 1}`;
  const imei = (line: number) => `99${own}${String(line + 1).padStart(7, '0')}`;
  // In the order of the lines: of lines that are otherwise equal, the service chooses the one with the first id.
  const deviceId = (line: number) =>
    `0000${own.slice(0, 4)}-${own.slice(4)}00-4000-8000-${String(line + 1).padStart(12, '0')}`;
  const back = new Map<string, string>([
    ...accounts.map((_, n) => [account(n), nameOf.account(n)] as const),
    ...lines.flatMap((_, n) => [[imei(n), nameOf.line(n)] as const, [deviceId(n), nameOf.line(n)] as const]),
    [`group ${group}`, 'group'],
  ]);
  const lookUp = (text: string) => back.get(text) ?? text;
  return {
    ecpdId: `9${own}`,
    group,
    account,
    imei,
    deviceId,
    fromAccount: lookUp,
    fromSubject: lookUp,
    fromImei: lookUp,
  };
}

/** Who gets mail and SMS: the recipient of a trigger, and the members of a group. */
export const OWN = { mail: 'own@people.example', phone: '5550100001' };
export const GROUP = { name: 'people', mail: 'group@people.example', phone: '5550100002' };

/** Services that each account listens to, besides those of the case. */
const ALWAYS_HEARD = ['CarrierService', 'ResumeTrackingNotification', 'DeviceUsage'];

/** The fleet document of one play, without the plans and the user. */
export function fleetOf(
  { accounts, lines, group }: Case,
  names: Names,
  urlOf: (accountName: string, serviceName: string) => string,
) {
  return {
    profiles: [{ ecpdId: names.ecpdId }],
    accounts: accounts.map(({ timeZone, billDay, byApn }, n) => ({
      accountName: names.account(n),
      ecpdId: names.ecpdId,
      timeZone,
      billCycleDay: billDay,
      realTimeRating: byApn,
    })),
    ratePlanGroups: [
      {
        ratePlanGroupId: names.group,
        ecpdId: names.ecpdId,
        planCodes: group.plans,
        accounts: group.accounts.map((account) => names.account(account)),
      },
    ],
    notificationGroups: [
      { ecpdId: names.ecpdId, name: GROUP.name, emails: [GROUP.mail], phones: [GROUP.phone] },
    ],
    listeners: accounts.flatMap(({ listens }, n) =>
      [...ALWAYS_HEARD, ...listens].map((serviceName) => {
        const accountName = names.account(n);
        return { accountName, serviceName, url: urlOf(accountName, serviceName) };
      }),
    ),
    devices: lines.map(({ account, plan, planSince }, n) => ({
      accountName: names.account(account),
      imei: names.imei(n),
      servicePlan: plan,
      planSince: iso(planSince),
      record: { id: names.deviceId(n) },
    })),
  };
}
