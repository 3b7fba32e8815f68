import { type Static, Type } from 'typebox';
import type { AccountName } from '../../kernel/account-name.ts';
import { ListFields, RefusedFilters, SelectionFields } from '../carrier-requests/index.ts';
import { PlaceOfUse, WirePlace } from '../devices/index.ts';

/** Null selects nothing here, and does not count as absent. */
const NOT_EMPTY = { selects: true };

const OnlyAccount = Type.Optional(Type.String({ description: "Absent: the session's only account" }));

export const ActivateBody = Type.Object({
  accountName: OnlyAccount,
  ...ListFields,
  servicePlan: Type.String({ maxLength: 64 }),
  mdnZipCode: Type.Union([Type.String({ maxLength: 16 }), Type.Integer()], {
    description: 'Where the lines are mainly used',
  }),
  skuNumber: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Activation by SKU: the plan cannot be changed before the SIM was updated over the air',
    }),
  ),
  primaryPlaceOfUse: Type.Optional(WirePlace),
  groupName: Type.Optional(
    Type.Unknown({ ...NOT_EMPTY, description: 'Ignored: there are no device groups' }),
  ),
  customFields: Type.Optional(
    Type.Unknown({ ...NOT_EMPTY, description: 'Ignored: there are no custom fields' }),
  ),
});
export type ActivateBody = Static<typeof ActivateBody>;

/** The parameters stored with a request. */
export const StoredActivation = Type.Object({
  servicePlan: Type.String(),
  mdnZipCode: Type.String(),
  skuNumber: Type.Optional(Type.String()),
  place: Type.Optional(PlaceOfUse),
  /** Other accounts of the caller that have some of the devices. */
  takenFrom: Type.Optional(Type.Array(Type.Unsafe<AccountName>(Type.String()))),
  /** By the word for the first identifier of a device. */
  ipAddresses: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export const SuspendBody = Type.Object({
  ...SelectionFields,
  withBilling: Type.Optional(
    Type.Boolean({
      description: 'Whether the lines are billed while they are suspended; absent: as their plan says',
    }),
  ),
});

export const RestoreBody = Type.Object({
  ...SelectionFields,
  withBilling: Type.Optional(Type.Unknown({ description: 'Ignored: an active line is billed' })),
});

export const DeactivateBody = Type.Object({
  accountName: OnlyAccount,
  ...ListFields,
  ...RefusedFilters,
  servicePlan: Type.Optional(
    Type.Unknown({ ...NOT_EMPTY, description: 'Refused: a deactivation needs a list of devices' }),
  ),
  reasonCode: Type.String({ maxLength: 16, description: 'FF' }),
  deleteAfterDeactivation: Type.Optional(Type.Boolean()),
});

export type DeactivateBody = Static<typeof DeactivateBody>;

export const StatusBody = Type.Object(SelectionFields);
