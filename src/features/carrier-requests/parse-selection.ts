import { type DeviceId, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import { refuse } from '../../platform/context/fault.ts';
import { refuseUnknownMembers } from '../../platform/http/unknown-member.ts';
import { DEVICES_MAX } from './carrier-operation.ts';
import { carrierFaults } from './errors.ts';
import {
  type DeviceIds,
  type Entry,
  type FilterBody,
  type ListBody,
  ListFields,
  type SelectionBody,
} from './schemas.ts';

/** The devices of a request: named one by one, or selected by what they have in common. */
export type Selection = NamedDevices | { readonly servicePlan: string | undefined };
interface NamedDevices {
  readonly named: readonly (readonly DeviceId[])[];
}

/** An identifier as one word. Data for one device of a request is stored under the first word that names it. */
export const wordOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `${kind.toLowerCase()} ${id}`;

/** Parses the devices that a request names into canonical spelling. Refuses the request for its first error. */
export function parseDevices(list: readonly { readonly deviceIds: DeviceIds }[]): NamedDevices {
  if (list.length === 0) refuse(carrierFaults.noDevices);
  if (list.length > DEVICES_MAX) refuse(carrierFaults.tooManyDevices);
  const named = list.map(({ deviceIds }) => {
    if (deviceIds.length === 0) refuse(carrierFaults.noDevices, { reason: 'deviceIds is empty' });
    return deviceIds.map(({ id, kind }) => {
      const known = parseDeviceIdKind(kind) ?? refuse(carrierFaults.unknownKind);
      return parseDeviceId(known, id) ?? refuse(carrierFaults.badIdentifier, { reason: known });
    });
  });
  return { named };
}

/** Each of these selects devices in some operation. */
const FILTERS = ['servicePlan', 'currentServicePlan', 'groupName', 'customFields'];

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * A selecting member that is null or empty was forgotten, or lost on its way. Treated as absent, it would select all
 * devices. `more` are the lists that an operation has in addition to the common ones.
 */
export function refuseEmpty(body: object, more: readonly string[] = []): void {
  for (const [name, value] of Object.entries(body)) {
    if (!isEmpty(value)) continue;
    if (name in ListFields || more.includes(name))
      refuse(carrierFaults.noDevices, { reason: `${name} is empty` });
    if (FILTERS.includes(name)) refuse(carrierFaults.emptyFilter, { reason: name });
  }
}

/**
 * Refuses selections that this service does not support. A caller that sends one means fewer devices than would be
 * found without it.
 */
export function refuseFilters({ groupName, customFields }: FilterBody): void {
  if (groupName !== undefined) refuse(carrierFaults.filterNotSupported, { reason: 'there are no groups' });
  if (customFields !== undefined)
    refuse(carrierFaults.filterNotSupported, { reason: 'there are no custom fields' });
}

const idsOf = ({ deviceIds, id, kind }: Entry, where: string): DeviceIds => {
  if (deviceIds !== undefined) return deviceIds;
  return id === undefined || kind === undefined
    ? refuse(carrierFaults.noDevices, { reason: `${where} has neither deviceIds nor id and kind` })
    : [{ id, kind }];
};

/** Parses the list of a request under any of its names, with the further members of each entry; undefined without a list. */
export function parseList(
  body: ListBody,
): (NamedDevices & { readonly entries: readonly Pick<Entry, 'ipAddress'>[] }) | undefined {
  const { devices, deviceList, deviceIds } = body;
  const [list, another] = Object.entries({ devices, deviceList, deviceIds }).filter(
    ([, given]) => given !== undefined,
  );
  if (list === undefined) return undefined;
  if (another !== undefined) refuse(carrierFaults.twoLists, { reason: `${list[0]}, ${another[0]}` });
  const [name, entries = []] = list;
  const ids = entries.map((entry, n) => ({ deviceIds: idsOf(entry, `${name}[${n}]`) }));
  return { ...parseDevices(ids), entries };
}

/** For operations that take only a list. */
export function parseNamed(body: ListBody): NonNullable<ReturnType<typeof parseList>> {
  refuseEmpty(body);
  return parseList(body) ?? refuse(carrierFaults.noDevices, { reason: 'a list of devices is needed' });
}

/**
 * For operations that also take a whole account, or its devices on one plan. `schema` has the members that such a body
 * may have. An account that is only implied, as the session's only one, does not select all of its devices: a caller
 * that forgets the list must not suspend everything.
 */
export function parseSelection(body: SelectionBody, schema: { readonly properties: object }): Selection {
  refuseFilters(body);
  refuseEmpty(body);
  const list = parseList(body);
  const { accountName, servicePlan } = body;
  if (list !== undefined && servicePlan !== undefined)
    refuse(carrierFaults.filterNotSupported, { reason: 'devices and servicePlan exclude each other' });
  if (list !== undefined) return { named: list.named };
  refuseUnknownMembers(body, schema, carrierFaults.unknownMember);
  if (accountName === undefined)
    refuse(carrierFaults.noDevices, { reason: 'a list of devices, or accountName, is needed' });
  return { servicePlan };
}
