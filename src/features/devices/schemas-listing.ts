import { type Static, Type } from 'typebox';

const Device = Type.Object({
  id: Type.String({ maxLength: 64 }),
  kind: Type.String({ maxLength: 16 }),
});
const KeyValue = Type.Object({
  key: Type.String({ maxLength: 100 }),
  value: Type.String({ maxLength: 200 }),
});
const Part = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));
const Time = Type.Optional(
  Type.String({
    maxLength: 40,
    description:
      'ISO 8601; of the last activation, else of the plan or the creation. A day alone is one of the account, both included',
  }),
);

export const ListBody = Type.Object({
  accountName: Type.Optional(
    Type.String({ description: "Billing account; may be absent where it is the session's only one" }),
  ),
  deviceId: Type.Optional(Device),
  filter: Type.Optional(
    Type.Object({
      deviceIdentifierFilters: Type.Optional(
        Type.Array(
          Type.Object({
            kind: Type.String({ maxLength: 16 }),
            contains: Part,
            startswith: Part,
            endswith: Part,
          }),
          { maxItems: 10, description: 'All of them must fit' },
        ),
      ),
    }),
  ),
  currentState: Type.Optional(Type.String({ maxLength: 32 })),
  servicePlan: Type.Optional(Type.String({ maxLength: 64 })),
  earliest: Time,
  latest: Time,
  groupName: Type.Optional(Type.String({ maxLength: 200, description: 'There are no groups' })),
  customFields: Type.Optional(Type.Array(KeyValue, { maxItems: 5 })),
  maxNumberOfDevices: Type.Optional(
    Type.Integer({ minimum: 1, description: 'At most, and without it, 2,000 devices are answered' }),
  ),
  largestDeviceIdSeen: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: 64,
      description:
        'Goes on after this device: largestDeviceIdSeen of the answer before, the DeviceId among the extendedAttributes of its last device, or an identifier of that device',
    }),
  ),
});
export type ListBody = Static<typeof ListBody>;

export const WireListedDevice = Type.Object({
  accountName: Type.String(),
  billingCycleEndDate: Type.String(),
  carrierInformations: Type.Array(
    Type.Object({
      carrierName: Type.String(),
      servicePlan: Type.String(),
      state: Type.String(),
    }),
  ),
  connected: Type.Boolean(),
  createdAt: Type.String(),
  customFields: Type.Array(KeyValue),
  deviceIds: Type.Array(Type.Object({ id: Type.String(), kind: Type.String() })),
  extendedAttributes: Type.Array(KeyValue),
  groupNames: Type.Array(Type.String()),
  ipAddress: Type.String(),
  lastActivationBy: Type.Optional(Type.String({ description: 'The user whose request activated the line' })),
  lastActivationDate: Type.Optional(Type.String()),
  lastConnectionDate: Type.Optional(
    Type.String({ description: 'When the line last began a data session, where sessions are reported' }),
  ),
});
export type WireListedDevice = Static<typeof WireListedDevice>;

export const WireDeviceList = Type.Object({
  devices: Type.Array(WireListedDevice),
  hasMoreData: Type.Boolean(),
  largestDeviceIdSeen: Type.Optional(Type.String()),
});
