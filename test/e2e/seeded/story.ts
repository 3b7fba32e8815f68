import { COLD_CHAIN, PRIMARY } from '../../../demo/accounts.ts';
import { PLAN } from '../../../demo/plans.ts';
import { operations } from '../../fuzz/support/document.ts';
import { reference } from '../../fuzz/support/known.ts';
import type { Player } from './player.ts';

const MB = 1024 ** 2;
const TRUCKS = [0, 2, 3, 4].map((nth) => reference('imei', nth));

/** These end the caller's access or delete what other calls need, so they come last. */
const BREAKING =
  /^(logOut|resetPassword|revokeToken|consoleSignOut|operator(Delete|Disable|Erase).*|operatorSetSimulator)$/;
/**
 * These replace the state at real time, or report sizes on disk or real processes. They have separate tests.
 */
const OTHER_STATES = /Snapshots?$|^operatorResetSandbox$|^operatorReadService$/;
const idsOf = (isWanted: (id: string, isRead: boolean) => boolean): readonly string[] =>
  operations
    .filter(({ id, method }) => !OTHER_STATES.test(id) && isWanted(id, method === 'GET'))
    .map(({ id }) => id);
const READS = idsOf((_, isRead) => isRead);
const CHANGES = idsOf((id, isRead) => !isRead && !BREAKING.test(id));
const LAST = idsOf((id) => BREAKING.test(id));

/** Above every threshold of the demo fleet's triggers. */
const usageOn = (day: string) =>
  TRUCKS.flatMap((device, n) =>
    [1, 2, 3].map((part) => ({
      ...{ id: `cdr-${day}-${n}-${part}`, kind: 'imei', device, at: `${day}T0${part}:00:00.000Z` },
      ...{ bytes: (part + n) * MB, apn: 'iot.apn', ratingGroup: '100', countryCode: 'USA' },
    })),
  );

const readingsAt = (at: string) =>
  TRUCKS.map((device, n) => ({ kind: 'imei', device, at, values: { temperature: 4 + n, doorOpen: false } }));

const ANOTHER = '0000700009-00001';
const numbered = (count: number, of: (nth: string) => object) =>
  Array.from({ length: count }, (_, n) => of(String(n).padStart(5, '0')));

/** Nothing in it has an id, so the service generates all of them. */
const DOCUMENT_WITHOUT_IDS = {
  profiles: [{ ecpdId: '7000009' }],
  accounts: [
    { accountName: ANOTHER, ecpdId: '7000009', timeZone: 'America/Chicago', billCycleDay: 1 },
    { accountName: '0000700009-00002', ecpdId: '7000009', aggregatedBilling: true },
  ],
  devices: numbered(50, (nth) => ({
    ...{ accountName: ANOTHER, imei: `99000000${nth}17`, servicePlan: PLAN.payg5Mb, state: 'active' },
    record: { name: `Crane ${nth}` },
  })),
  userProfiles: numbered(3, (nth) => ({ accountName: ANOTHER, email: `p${nth}@cranes.example` })),
  rules: numbered(3, (nth) => ({
    ...{ accountName: ANOTHER, deviceImei: `99000000${nth}17`, name: `Hot ${nth}`, rulesyntax: 'json' },
    rulechain: { field: 'temperature', operator: 'gt', value: 5 },
  })),
  managedAccounts: [
    {
      ...{ accountName: '0000700009-00002', paccountName: ANOTHER, serviceName: 'Location' },
      ...{ type: 'SVC-LOC-COARSE-CellID-Aggr', state: 'added' },
    },
  ],
  usageTriggers: [{ accountName: PRIMARY, serviceName: 'Location', triggerName: 'Half', thresholdValue: 50 }],
  listeners: [{ accountName: ANOTHER, serviceName: 'CarrierService', url: reference('url', 0) }],
};

const LISTS = [
  ...['mail', 'sms', 'callbacks', 'firings', 'jobs', 'audit'].map((name) => `${name}?limit=1000`),
  ...[
    'export',
    `usage/differences?accountName=${PRIMARY}`,
    'clock',
    'simulator',
    `accounts/${ANOTHER}/devices?limit=1000`,
  ],
];

/** Fires at a kilobyte, and would suspend more lines than allowed without approval. */
const HASTY_TRIGGER = {
  triggerName: 'Waits for approval',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: PLAN.payg5Mb, accountNameList: [PRIMARY] },
      condition: {
        ...{ conditionType: 'AccountLevel', comparator: 'gt', threshold: 1, thresholdUnit: 'KB' },
        cycleType: 'Daily',
      },
      action: {
        suspend: true,
        suspendDetails: {
          ...{ suspendFromAccounts: [PRIMARY], suspendDuration: '30', suspendOption: 'WithoutBilling' },
          ...{ threshold: 1, thresholdUnit: 'KB' },
        },
      },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
};

/** In parts that take a busy machine less time than the limit of a call. */
const MONTH = ['PT6H', ...Array.from({ length: 5 }, () => 'P6D')];

/** When it returns, all due work is done and the clock is unchanged. */
const settle = ({ call }: Player) => call('operatorMoveClock', { advance: 'PT0S' });

async function callEach(player: Player, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await player.call(id);
    if (!READS.includes(id)) await settle(player);
  }
}

interface Fired {
  readonly firingId: string;
  readonly actions: readonly object[];
}

async function decideFiring(player: Player, decide: string): Promise<void> {
  const { triggerId } = JSON.parse((await player.call('createPricePlanTrigger', HASTY_TRIGGER)).body);
  await player.call('operatorFeedUsage', [
    { id: decide, kind: 'imei', device: TRUCKS[0], at: '2026-01-05T12:00:00.000Z', bytes: MB },
  ]);
  await settle(player);
  const firings = JSON.parse(
    (await player.get(`/operator/v1/firings?triggerId=${triggerId}`)).body,
  ) as Fired[];
  const { firingId } = firings.find(({ actions }) => actions.length > 0)!;
  player.known.learn('firing', firingId);
  await player.call(decide);
  await settle(player);
}

async function readLists({ get }: Player): Promise<void> {
  for (const path of LISTS) await get(`/operator/v1/${path}`);
}

export type Play = (player: Player) => Promise<void>;

/** Creates a little of everything. */
export const playBeginning: Play = async (player) => {
  const { call, get, signIn } = player;
  await signIn();
  for (const day of ['2026-01-03', '2026-01-04']) await call('operatorFeedUsage', usageOn(day));
  await call('operatorImport', DOCUMENT_WITHOUT_IDS);
  await settle(player);
  for (const list of ['export', 'callbacks', 'firings']) await get(`/operator/v1/${list}`);
};

/** Every read and change by a customer and an operator, one after the other, including refusals. */
export const playDay: Play = async (player) => {
  const { call, callAsNobody } = player;
  await playBeginning(player);
  for (const decide of ['approvePricePlanFiring', 'operatorRejectFiring']) await decideFiring(player, decide);
  await callEach(player, CHANGES);
  for (const time of ['14:00', '14:30'])
    await call('operatorFeedReadings', readingsAt(`2026-01-05T${time}:00.000Z`));
  // Nothing waits for the work that these start.
  for (const id of ['createLocationReport', 'requestBillingSummary', 'requestDeviceLocations'])
    await call(id);
  await call('operatorFeedPositions', [
    { kind: 'imei', device: TRUCKS[0], at: '2026-01-05T14:40:00.000Z', lat: 32.9, lon: -97.1, radius: 300 },
  ]);
  await settle(player);
  await callEach(player, READS);
  for (const { id } of operations) await callAsNobody(id);
};

/** A month, its results, and all calls that end something. */
export const playMonth: Play = async (player) => {
  for (const advance of MONTH) await player.call('operatorMoveClock', { advance });
  await readLists(player);
  await player.signIn();
  await player.call('queryDevices', { accountname: COLD_CHAIN, filter: { $limitnumber: 5 } });
  await callEach(player, READS);
  await callEach(player, LAST);
  await readLists(player);
};
