import { type Static, Type } from 'typebox';
import { DeviceIds, ListFields, RefusedFilters } from '../carrier-requests/index.ts';
import { WirePlace } from '../devices/index.ts';

const Addressed = Type.Object({
  deviceIds: Type.Optional(DeviceIds),
  deviceId: Type.Optional(
    Type.Unsafe<DeviceIds>({ ...DeviceIds, description: 'Another spelling of deviceIds' }),
  ),
  primaryPlaceOfUse: Type.Optional(WirePlace),
  primaryPlaceofuse: Type.Optional(
    Type.Object(
      { ...WirePlace.properties, primaryPlaceofuse: Type.Optional(WirePlace) },
      { description: 'Another spelling of primaryPlaceOfUse, which may hold itself' },
    ),
  ),
});
export type Addressed = Static<typeof Addressed>;

const PlanCode = Type.String({ minLength: 1, maxLength: 64 });

export const PlanChangeBody = Type.Object({
  accountName: Type.Optional(Type.String({ description: "Absent: the session's only account" })),
  servicePlan: PlanCode,
  currentServicePlan: Type.Optional(
    Type.Unsafe<string>({
      ...PlanCode,
      selects: true,
      description:
        'Changes only devices that are on this plan. With accountName and without a list, it changes all devices of the account on the plan, and members that are not described here are refused',
    }),
  ),
  deviceListWithServiceAddress: Type.Optional(
    Type.Array(Addressed, {
      selects: true,
      description:
        'At most 10,000 devices, each with an IMEI of 15 or an ICCID of 20 digits, or both in this order',
    }),
  ),
  ...ListFields,
  ...RefusedFilters,
  carrierIpPoolName: Type.Optional(Type.Unknown({ description: 'Ignored: an account has one pool' })),
  takeEffect: Type.Optional(
    Type.Unknown({ description: 'Refused if it is in the future: changes take effect at once' }),
  ),
});
export type PlanChangeBody = Static<typeof PlanChangeBody>;

/** The parameters stored with a request. */
export const StoredChange = Type.Object({
  servicePlan: Type.String(),
  currentServicePlan: Type.Optional(Type.String()),
  /**
   * The change takes effect at the start of the bill cycle that is open when it is made. All usage since then counts
   * for the new plan.
   */
  backDate: Type.Optional(Type.Boolean()),
  /** The change takes effect no earlier than this. */
  notBefore: Type.Optional(Type.String()),
  /** The request named places of use for its devices. */
  hasPlaces: Type.Optional(Type.Boolean()),
  /** Suspended devices are skipped, because the requester did not name the devices. */
  skipsSuspended: Type.Optional(Type.Boolean()),
});
export type StoredChange = Static<typeof StoredChange>;

/** The part of the operation that the code that requests it needs. */
export const PLAN_CHANGE = { name: 'plan-change', body: StoredChange } as const;
