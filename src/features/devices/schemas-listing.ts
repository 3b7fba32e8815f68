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
      "ISO 8601; compared with the last activation, or else the start of the plan or the creation. A date without a time is a day in the account's time zone; both ends are included",
  }),
);

export const ListBody = Type.Object({
  accountName: Type.Optional(
    Type.String({ description: "Billing account; may be absent if it is the session's only one" }),
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
          { maxItems: 10, description: 'All of them must match' },
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
    Type.Integer({ minimum: 1, description: 'Capped at 2,000, which is also the default' }),
  ),
  largestDeviceIdSeen: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: 64,
      description:
        'Continues after this device: largestDeviceIdSeen of the previous answer, the DeviceId in the extendedAttributes of its last device, or an identifier of that device',
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
    Type.String({ description: "The start of the line's last data session, if sessions are reported" }),
  ),
});
export type WireListedDevice = Static<typeof WireListedDevice>;

export const WireDeviceList = Type.Object({
  devices: Type.Array(WireListedDevice),
  hasMoreData: Type.Boolean(),
  largestDeviceIdSeen: Type.Optional(Type.String()),
});
