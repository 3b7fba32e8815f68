import { COLD_CHAIN, FACILITIES, HAULAGE, PRIMARY, WATER } from '../../../demo/accounts.ts';
import { users } from '../../../demo/credentials.ts';
import { demoFleet } from '../../../demo/fleet.ts';
import { iccidOf, imeiOf } from '../../../demo/identifiers.ts';
import { PLAN } from '../../../demo/plans.ts';
import { START } from '../../support/world.ts';

/** A text that only the first customer's data contains. No request contains it. */
export const MARKER = 'zqmarkerqz';

const OURS: ReadonlySet<string> = new Set([PRIMARY, COLD_CHAIN, FACILITIES, HAULAGE.ecpdId]);
const MARKED = ['organizationName', 'triggerName', 'firstname', 'displayname', 'description', 'name'];

/** Adds the marker to every text that has no other meaning. */
function mark<T>(entry: T): T {
  const marked = Object.entries(entry as object).map(([key, value]) => {
    if (MARKED.includes(key) && typeof value === 'string') return [key, `${value} ${MARKER}`];
    return [key, key === 'record' ? { ...mark(value as object), customdata: { note: MARKER } } : value];
  });
  return Object.fromEntries(marked) as T;
}

const isOurs = (entry: object): boolean => {
  const { accountName, ecpdId } = entry as { accountName?: string; ecpdId?: string };
  return OURS.has(accountName ?? '') || OURS.has(ecpdId ?? '');
};
const markOurs = <T extends object>(entries: readonly T[]): T[] =>
  entries.map((entry) => (isOurs(entry) ? mark(entry) : entry));

const demo = demoFleet(START);

/** The haulier's user, whose data others must not see; the utility's user; and a user whose home is a managed account. */
export const [OWNER, STRANGER] = [users[0]!, users[2]!];
export const DEPOTS = {
  username: 'depot-user',
  password: 'depot-user-password',
  accounts: [FACILITIES],
};

/** The demo fleet: two customers with entries in every section. */
export const PLAIN_FLEET = { ...demo, users: [...demo.users, DEPOTS] };

/** The same with the marker. */
export const FLEET: typeof PLAIN_FLEET = {
  ...PLAIN_FLEET,
  accounts: markOurs(demo.accounts),
  devices: markOurs(demo.devices),
  userProfiles: markOurs(demo.userProfiles),
  rules: markOurs(demo.rules),
  usageTriggers: markOurs(demo.usageTriggers),
  pricePlanTriggers: markOurs(demo.pricePlanTriggers),
  listeners: demo.listeners.map((listener) =>
    isOurs(listener) ? { ...listener, username: MARKER, url: `${listener.url}/${MARKER}` } : listener,
  ),
};

const idsOf = (entries: readonly object[], key: string): string[] =>
  entries.flatMap((entry) => {
    const value = (entry as Record<string, unknown>)[key];
    return typeof value === 'string' ? [value] : [];
  });
const ourDevices = FLEET.devices.filter(isOurs);
const sample = (all: readonly string[]) => all.filter((_, index) => index % 7 === 0).slice(0, 12);

/** A device of the owner's first account by its record. */
export const TRUCK = ourDevices[0]!.record.id;

const COURIERS = '0000700001-00004';
/** In an account outside the fleet: the van may be imported, moved and deleted. */
export const VAN = {
  accountName: COURIERS,
  kind: 'device',
  imei: imeiOf('99710011', 900_001),
  iccid: iccidOf(900_001),
  state: 'active',
  mdn: '3975550190',
  servicePlan: PLAN.payg5Mb,
  record: { name: 'Van 1', description: 'Tracker of a delivery van' },
};
export const NEWCOMER = {
  accounts: [
    {
      accountName: COURIERS,
      ecpdId: HAULAGE.ecpdId,
      organizationName: 'Larkmoor Couriers',
      timeZone: 'America/Chicago',
      billCycleDay: 1,
    },
  ],
  devices: [VAN],
};

/** Values that requests can refer to from the start. */
export const KNOWN: Readonly<Record<string, readonly string[]>> = {
  account: [PRIMARY, PRIMARY, COLD_CHAIN, PRIMARY, FACILITIES, WATER],
  trigger: idsOf([...FLEET.pricePlanTriggers, ...FLEET.usageTriggers], 'triggerId'),
  record: sample(
    idsOf(
      ourDevices.map(({ record }) => record),
      'id',
    ),
  ),
  id: [...idsOf(FLEET.userProfiles, 'id'), ...idsOf(FLEET.rules, 'id')],
  element: ['simulated'],
  feed: ['files'],
  plan: idsOf(FLEET.plans, 'code'),
  group: FLEET.ratePlanGroups.map(({ ratePlanGroupId }) => String(ratePlanGroupId)),
  profile: idsOf(FLEET.profiles, 'ecpdId'),
  sku: [...idsOf(FLEET.licenses, 'skuNumber'), ...idsOf(FLEET.subscriptions, 'skuName')],
  service: ['Location', 'fota', ...new Set(idsOf(FLEET.listeners, 'serviceName'))],
  user: idsOf(FLEET.users, 'username'),
  client: idsOf(FLEET.clients, 'clientId'),
  month: ['2026-01', '2025-12', '2025-11', '9999-12', '1000-01'],
  url: ['http://127.0.0.1:9001/callbacks', 'https://localhost:9002/', 'http://127.0.0.1/'],
  imei: sample(idsOf(ourDevices, 'imei')),
  iccid: sample(idsOf(ourDevices, 'iccid')),
  mdn: sample(idsOf(ourDevices, 'mdn')),
  length: ['PT0S', 'PT5M', 'PT1H', 'P1D'],
  page: ['1', 'AAAA'],
  key: ['reporting'],
};
