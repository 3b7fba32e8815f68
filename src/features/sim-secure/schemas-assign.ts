import { type Static, Type } from 'typebox';
import { DeviceList } from '../carrier-requests/index.ts';

export const AssignBody = Type.Object({
  accountName: Type.Optional(Type.String({ description: "Absent: the session's only account" })),
  skuNumber: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A SKU of which the account has licences',
  }),
  devices: Type.Unsafe<Static<typeof DeviceList>>({
    ...DeviceList,
    description: 'At most 100 devices, each with one or more of its identifiers',
  }),
});
export type AssignBody = Static<typeof AssignBody>;

/** What is kept with a request. */
export const StoredAssignment = Type.Object({ skuNumber: Type.String() });
export type StoredAssignment = Static<typeof StoredAssignment>;
