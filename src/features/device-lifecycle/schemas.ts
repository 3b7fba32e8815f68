import { type Static, Type } from 'typebox';
import { DeviceIds, SelectionFields } from '../carrier-requests/index.ts';
import { PlaceOfUse, WirePlace } from '../devices/index.ts';

const OnlyAccount = Type.Optional(Type.String({ description: "Absent: the session's only account" }));

export const ActivateBody = Type.Object({
  accountName: OnlyAccount,
  devices: Type.Optional(
    Type.Array(
      Type.Object({
        deviceIds: DeviceIds,
        ipAddress: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'IPv4; absent: the one that the line has, or a free one',
          }),
        ),
      }),
      { description: 'At most 10,000 devices, each with one or more of its identifiers' },
    ),
  ),
  servicePlan: Type.String({ maxLength: 64 }),
  mdnZipCode: Type.Union([Type.String({ maxLength: 16 }), Type.Integer()], {
    description: 'Where the lines are mostly used',
  }),
  skuNumber: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Activation by SKU: plans cannot be changed until the SIM was updated over the air',
    }),
  ),
  primaryPlaceOfUse: Type.Optional(WirePlace),
});
export type ActivateBody = Static<typeof ActivateBody>;

/** What is kept with a request. */
export const StoredActivation = Type.Object({
  servicePlan: Type.String(),
  mdnZipCode: Type.String(),
  skuNumber: Type.Optional(Type.String()),
  place: Type.Optional(PlaceOfUse),
  /** By the word for the first identifier of a device. */
  ipAddresses: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export const SuspendBody = Type.Object({
  ...SelectionFields,
  withBilling: Type.Optional(
    Type.Boolean({ description: 'Whether the lines are billed meanwhile; absent: as their plan says' }),
  ),
});

export const RestoreBody = Type.Object(SelectionFields);

export const DeactivateBody = Type.Object({
  ...SelectionFields,
  reasonCode: Type.String({ maxLength: 16, description: 'FF' }),
  deleteAfterDeactivation: Type.Optional(Type.Boolean()),
});

export const StatusBody = Type.Object(SelectionFields);
