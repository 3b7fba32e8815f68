import { type Static, Type } from 'typebox';
import { IDS_PER_DEVICE_MAX } from './carrier-request.ts';

export const WorkPayload = Type.Object({ accountName: Type.String(), requestId: Type.String() });

/** What is in it is judged by the use-case, which has a code for everything that can be wrong. */
export const DeviceIds = Type.Array(
  Type.Object({
    id: Type.String({ maxLength: 128 }),
    kind: Type.String({
      maxLength: 32,
      description: 'ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case',
    }),
  }),
  { maxItems: IDS_PER_DEVICE_MAX },
);
export type DeviceIds = Static<typeof DeviceIds>;

export const DeviceList = Type.Array(Type.Object({ deviceIds: DeviceIds }), {
  description: 'At most 10,000 devices, each with one or more of its identifiers',
});

/** How requests name their devices: one by one, or by what they have in common. */
export const SelectionFields = {
  accountName: Type.Optional(
    Type.String({ description: "Absent: the session's only account. Without devices: all of the account's" }),
  ),
  devices: Type.Optional(DeviceList),
  servicePlan: Type.Optional(
    Type.String({ maxLength: 64, description: 'Instead of devices: those that are on this plan' }),
  ),
  groupName: Type.Optional(Type.Unknown({ description: 'Refused: there are no device groups' })),
  customFields: Type.Optional(Type.Unknown({ description: 'Refused: there are no custom fields' })),
};
const SelectionBody = Type.Object(SelectionFields);
export type SelectionBody = Static<typeof SelectionBody>;

export const Accepted = Type.Object({
  requestId: Type.String({ description: 'The callback of each device carries it' }),
});

export const StatusParams = Type.Object({
  accountName: Type.String(),
  requestId: Type.String({ maxLength: 64 }),
});

const OfDevices = Type.Optional(Type.Integer({ description: 'Of requests that change devices' }));

export const WireStatus = Type.Object({
  requestId: Type.String(),
  status: Type.String({ description: 'Pending, Success, or Failure when anything failed' }),
  operation: Type.String(),
  devicesRequested: OfDevices,
  devicesPending: OfDevices,
  devicesSucceeded: OfDevices,
  devicesFailed: OfDevices,
});
