import { refuse } from '../../platform/context/fault.ts';
import { refuseUnknownMembers } from '../../platform/http/unknown-member.ts';
import {
  carrierFaults,
  DEVICES_MAX,
  type DeviceIds,
  parseDevices,
  parseList,
  refuseEmpty,
  refuseFilters,
  type Selection,
  wordOf,
} from '../carrier-requests/index.ts';
import { type PlaceOfUse, parsePlace, type WirePlace } from '../devices/index.ts';
import { planChangeFaults } from './errors.ts';
import { type Addressed, PlanChangeBody } from './schemas.ts';

/** A place of use, and the first identifier of its device in the request. */
export interface NamedPlace {
  readonly namedBy: string;
  readonly place: PlaceOfUse;
}

const DIGITS: ReadonlyMap<string, number> = new Map([
  ['imei', 15],
  ['iccid', 20],
]);

/** Together with an address, the interface restricts identifiers more than elsewhere. */
function checkIds(ids: DeviceIds, where: string): void {
  const kinds = ids.map(({ kind }) => kind.toLowerCase());
  for (const [n, { id }] of ids.entries()) {
    const kind = kinds[n]!;
    const digits =
      DIGITS.get(kind) ?? refuse(carrierFaults.unknownKind, { reason: `${where}: imei or iccid is needed` });
    if (id.length !== digits || !/^[0-9]+$/.test(id))
      refuse(carrierFaults.badIdentifier, { reason: `${where}: ${kind} has ${digits} digits` });
  }
  if (kinds.length > new Set(kinds).size)
    refuse(carrierFaults.badIdentifier, { reason: `${where}: one imei and one iccid at most` });
  if (kinds.length > 1 && kinds[0] !== 'imei')
    refuse(carrierFaults.badIdentifier, { reason: `${where}: imei comes before iccid` });
}

/** Published clients spell it with a small o, and some of them nest it in itself. */
const placeOf = ({ primaryPlaceOfUse, primaryPlaceofuse }: Addressed): WirePlace =>
  [primaryPlaceOfUse, primaryPlaceofuse, primaryPlaceofuse?.primaryPlaceofuse].find(
    (place) => place?.address !== undefined || place?.customerName !== undefined,
  ) ?? {};

function parseAddressed(list: readonly Addressed[]) {
  if (list.length > DEVICES_MAX) refuse(carrierFaults.tooManyDevices);
  const places: NamedPlace[] = [];
  const devices = list.map((entry, n) => {
    const { deviceIds = [], deviceId = [] } = entry;
    const where = `deviceListWithServiceAddress[${n}]`;
    const ids = deviceIds.length > 0 ? deviceIds : deviceId;
    checkIds(ids, where);
    const place = parsePlace(placeOf(entry), where);
    for (const first of ids.slice(0, 1)) places.push({ namedBy: wordOf(first), place });
    return { deviceIds: ids };
  });
  return { selection: parseDevices(devices), places };
}

/**
 * Parses the selected devices, in each form that the interface has. The account alone does not select its devices, and
 * a plan only together with the account's name: a caller that forgets the list must not change everything.
 */
export function parseChosen(body: PlanChangeBody): {
  readonly selection: Selection;
  readonly places: readonly NamedPlace[];
} {
  const { accountName, deviceListWithServiceAddress: addressed, currentServicePlan } = body;
  refuseFilters(body);
  refuseEmpty(body, ['deviceListWithServiceAddress']);
  const list = parseList(body);
  if (list !== undefined && addressed !== undefined)
    refuse(carrierFaults.twoLists, { reason: 'one is deviceListWithServiceAddress' });
  if (addressed !== undefined) return parseAddressed(addressed);
  if (list !== undefined) return { selection: { named: list.named }, places: [] };
  refuseUnknownMembers(body, PlanChangeBody, carrierFaults.unknownMember);
  if (accountName === undefined || currentServicePlan === undefined)
    refuse(carrierFaults.noDevices, { reason: 'a list, or accountName with currentServicePlan, is needed' });
  return { selection: { servicePlan: currentServicePlan }, places: [] };
}

/** A date or time in the past means now. A later one is refused, because changes take effect at once. */
export function checkTakeEffect(takeEffect: unknown, now: Date): void {
  if (takeEffect === undefined || takeEffect === null || takeEffect === '') return;
  const at = typeof takeEffect === 'string' ? Date.parse(takeEffect) : Number.NaN;
  if (!(at <= now.getTime())) refuse(planChangeFaults.takeEffectNotSupported);
}
