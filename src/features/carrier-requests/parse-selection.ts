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

/** The devices of a request: named one by one, or all that have something in common. */
export type Selection = NamedDevices | { readonly servicePlan: string | undefined };
interface NamedDevices {
  readonly named: readonly (readonly DeviceId[])[];
}

/** An identifier as one word: what belongs to one device of a request is kept by the first one that names it. */
export const wordOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `${kind.toLowerCase()} ${id}`;

/** What a request names, in canonical spelling; it is refused for the first thing wrong with it. */
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

/** Each chooses devices in one operation or another. */
const FILTERS = ['servicePlan', 'currentServicePlan', 'groupName', 'customFields'];

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * What should choose devices and is null or empty was forgotten, or lost on its way: read as absent it would choose all of
 * them. `more` are the lists that an operation has beyond the common ones.
 */
export function refuseEmpty(body: object, more: readonly string[] = []): void {
  for (const [name, value] of Object.entries(body)) {
    if (!isEmpty(value)) continue;
    if (name in ListFields || more.includes(name))
      refuse(carrierFaults.noDevices, { reason: `${name} is empty` });
    if (FILTERS.includes(name)) refuse(carrierFaults.emptyFilter, { reason: name });
  }
}

/** Ways of choosing that exist nowhere here: whoever sends one means fewer devices than would be found without it. */
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

/** The list of a request under whichever of its names, with what each entry says besides; undefined without one. */
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

/** For operations that take a list and nothing else. */
export function parseNamed(body: ListBody): NonNullable<ReturnType<typeof parseList>> {
  refuseEmpty(body);
  return parseList(body) ?? refuse(carrierFaults.noDevices, { reason: 'a list of devices is needed' });
}

/**
 * For operations that also take a whole account, or those of it that are on a plan; `schema` has the members
 * that such a body may have. An account that is merely the session's only one does not choose all of its devices: who forgets the list
 * must not suspend everything.
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
