import { type DeviceId, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import { refuse } from '../../platform/fault.ts';
import { DEVICES_MAX } from './carrier-request.ts';
import { carrierFaults } from './errors.ts';
import type { DeviceIds, SelectionBody } from './schemas.ts';

/** The devices of a request: named one by one, or all that have something in common. */
export type Selection = NamedDevices | { readonly servicePlan: string | undefined };
export interface NamedDevices {
  readonly named: readonly (readonly DeviceId[])[];
}

/** An identifier as one word: what belongs to one device of a request is kept by the first one that names it. */
export const wordOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `${kind.toLowerCase()} ${id}`;

/** What a request names, in canonical spelling; it is refused for the first thing wrong with it. */
export function readDevices(list: readonly { readonly deviceIds: DeviceIds }[] | undefined): NamedDevices {
  if (list === undefined || list.length === 0) refuse(carrierFaults.noDevices);
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

/**
 * For operations that also take filters. An account that is merely the session's only one does not choose all of its
 * devices: who forgets the list must not suspend everything.
 */
export function readSelection(body: SelectionBody): Selection {
  const { accountName, devices, servicePlan, groupName, customFields } = body;
  if (groupName !== undefined) refuse(carrierFaults.filterNotSupported, { reason: 'there are no groups' });
  if (customFields !== undefined)
    refuse(carrierFaults.filterNotSupported, { reason: 'there are no custom fields' });
  if (devices !== undefined && servicePlan !== undefined)
    refuse(carrierFaults.filterNotSupported, { reason: 'devices and servicePlan exclude each other' });
  if (devices !== undefined || (servicePlan === undefined && accountName === undefined))
    return readDevices(devices);
  return { servicePlan };
}
