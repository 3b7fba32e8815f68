import { Type } from 'typebox';
import { DeviceList, SelectionFields } from '../carrier-requests/index.ts';

const OnlyAccount = Type.Optional(Type.String({ description: "Absent: the session's only account" }));

export const ActivateBody = Type.Object({
  accountName: OnlyAccount,
  devices: Type.Optional(DeviceList),
  servicePlan: Type.String({ maxLength: 64 }),
  mdnZipCode: Type.Union([Type.String({ maxLength: 16 }), Type.Integer()], {
    description: 'Where the lines are mostly used',
  }),
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
