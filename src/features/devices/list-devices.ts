import { IsDate, IsDateTime } from 'typebox/format';
import { addDays, dayFinder } from '../../kernel/bill-cycle.ts';
import { parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { Account } from '../accounts/index.ts';
import { listPlanCodes } from '../plans/index.ts';
import { DEVICE_STATES, type DeviceState } from './device.ts';
import { listingFaults } from './errors.ts';
import type { ListBody } from './schemas-listing.ts';
import { findDeviceKey } from './sql.ts';
import {
  findListNumber,
  type IdentifierFilter,
  type ListedDevice,
  type ListFilter,
  listLines,
} from './sql-listing.ts';

/** The maximum page size, and the default. */
const LISTED_MAX = 2_000;

/** Other words that clients use for states. `none` stands for transient states, in which no device is ever found. */
const OTHER_WORDS: ReadonlyMap<string, DeviceState | 'none'> = new Map([
  ['activate', 'active'],
  ['suspended', 'suspend'],
  ['deactivate', 'deactive'],
  ['preactive', 'pre-active'],
  ['pending activation', 'none'],
  ['pending deactivation', 'none'],
]);

function parseDeviceState(text: string): DeviceState | 'none' | undefined {
  const word = text.trim().toLowerCase();
  return DEVICE_STATES.find((state) => state === word) ?? OTHER_WORDS.get(word);
}

const CUSTOM_FIELD = /^customfield[1-5]$/i;
const isCustomField = (key: string): boolean => CUSTOM_FIELD.test(key);

/** Identifiers have ten digits or more; anything shorter is a number from a listing. */
const LIST_NUMBER = /^[0-9]{1,18}$/;
const isListNumber = (text: string): boolean => text.length < 10 && LIST_NUMBER.test(text);

const kindOf = (text: string) => parseDeviceIdKind(text) ?? refuse(listingFaults.badKind, { reason: text });

async function findOwn({ db }: Ctx, tenant: Tenant, { id, kind }: { id: string; kind: string }) {
  const deviceId =
    parseDeviceId(kindOf(kind), id) ?? refuse(listingFaults.badIdentifier, { reason: `${kind} ${id}` });
  const key = await findDeviceKey(db, deviceId);
  // Another customer's device is reported like one that does not exist.
  if (key?.ecpdId !== tenant.ecpdId || key.accountName !== tenant.accountName)
    return refuse(listingFaults.deviceNotFound);
  return key.deviceId;
}

type WireFilters = NonNullable<NonNullable<ListBody['filter']>['deviceIdentifierFilters']>;

const toFilters = (filters: WireFilters = []): readonly IdentifierFilter[] =>
  filters.map(({ kind, ...parts }) => {
    if (Object.values(parts).every((part) => part === undefined)) refuse(listingFaults.badFilter);
    const { contains, startswith, endswith } = parts;
    return {
      kind: kindOf(kind),
      contains: contains?.toUpperCase(),
      startswith: startswith?.toUpperCase(),
      endswith: endswith?.toUpperCase(),
    };
  });

/** A date without a time means the whole day in the account's time zone. */
function parseTimes({ earliest, latest }: ListBody, timeZone: string) {
  for (const [name, text] of Object.entries({ earliest, latest }))
    if (text !== undefined && !IsDate(text) && !IsDateTime(text))
      refuse(listingFaults.badTime, { reason: name });
  const { startOf } = dayFinder(timeZone);
  const from = earliest && (IsDate(earliest) ? startOf(earliest) : Date.parse(earliest));
  return {
    ...(from !== undefined && { earliest: new Date(from) }),
    ...(latest !== undefined &&
      (IsDate(latest) ? { before: new Date(startOf(addDays(latest, 1))) } : { latest: new Date(latest) })),
  };
}

/** The filter, or undefined if no device can match. */
async function parseFilter(
  ctx: Ctx,
  tenant: Tenant,
  body: ListBody,
  { timeZone }: Pick<Account, 'timeZone'>,
): Promise<ListFilter | undefined> {
  const { deviceId, servicePlan, currentState, customFields = [] } = body;
  if (body.groupName !== undefined) refuse(listingFaults.groupNotFound);
  if (!customFields.every(({ key }) => isCustomField(key))) refuse(listingFaults.badCustomField);
  const state =
    currentState === undefined
      ? undefined
      : (parseDeviceState(currentState) ?? refuse(listingFaults.badState, { reason: currentState }));
  const times = parseTimes(body, timeZone);
  const identifiers = toFilters(body.filter?.deviceIdentifierFilters);
  const planCodes = servicePlan === undefined ? undefined : await listPlanCodes(ctx.db, servicePlan);
  if (planCodes?.length === 0) refuse(listingFaults.planNotFound);
  const own = deviceId && (await findOwn(ctx, tenant, deviceId));
  // Custom fields are not stored, so no device matches.
  if (state === 'none' || customFields.length > 0) return undefined;
  return { deviceId: own, identifiers, state, planCodes, ...times };
}

/** Where a listing continues: after the number from a listing, or after the device with this identifier. */
async function findLastSeen(
  { db }: Ctx,
  tenant: Tenant,
  given: string | number | undefined,
): Promise<string> {
  if (given === undefined) return '0';
  const text = String(given).trim().toUpperCase();
  if (isListNumber(text)) return text;
  const found = await findListNumber(db, tenant, text);
  if (found !== undefined) return found;
  return LIST_NUMBER.test(text) ? text : refuse(listingFaults.badLastSeen);
}

/** A page of the account's lines, in the order in which they were added. */
export async function listDevicesOf(
  ctx: Ctx,
  tenant: Tenant,
  body: ListBody,
  account: Pick<Account, 'timeZone'>,
): Promise<{ readonly devices: readonly ListedDevice[]; readonly hasMoreData: boolean }> {
  const filter = await parseFilter(ctx, tenant, body, account);
  const after = await findLastSeen(ctx, tenant, body.largestDeviceIdSeen);
  const limit = Math.min(body.maxNumberOfDevices ?? LISTED_MAX, LISTED_MAX);
  if (filter === undefined) return { devices: [], hasMoreData: false };
  // In a transaction, to get its own connection: reads of one row do not queue behind thousands.
  const devices = await ctx.db.tx((db) => listLines(db, tenant, filter, { after, limit: limit + 1 }), {
    readOnly: true,
  });
  return { devices: devices.slice(0, limit), hasMoreData: devices.length > limit };
}
