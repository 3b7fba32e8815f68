import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { DEVICES_MAX, IDS_PER_DEVICE_MAX } from './carrier-operation.ts';

export const WorkPayload = Type.Object({ accountName: Type.String(), requestId: Type.String() });
export const ConfirmPayload = Type.Object({
  ...WorkPayload.properties,
  deviceIds: Type.Array(Type.String(), { maxItems: 500 }),
});

/** The use-case checks the contents, because it has a code for each error. */
const Identifier = {
  id: Type.String({ maxLength: 128 }),
  kind: Type.String({
    maxLength: 32,
    description: 'ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case',
  }),
};
export const DeviceIds = Type.Array(Type.Object(Identifier), { maxItems: IDS_PER_DEVICE_MAX });
export type DeviceIds = Static<typeof DeviceIds>;

export const DeviceList = Type.Array(Type.Object({ deviceIds: DeviceIds }), {
  description: 'At most 10,000 devices, each with one or more of its identifiers',
});

const NOT_EMPTY = { selects: true };

/** A device of a list: named by a list of its identifiers, or directly by a single one. */
const Entry = Type.Object({
  deviceIds: Type.Optional(Type.Unsafe<DeviceIds>({ ...DeviceIds, ...NOT_EMPTY })),
  id: Type.Optional(Identifier.id),
  kind: Type.Optional(Identifier.kind),
  ipAddress: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Of an activation: IPv4; absent: the one that the line has, or a free one',
    }),
  ),
});
export type Entry = Static<typeof Entry>;

/** The one list of devices, under any of its names. It is never null or empty. */
export const ListFields = {
  devices: Type.Optional(
    Type.Array(Entry, {
      ...NOT_EMPTY,
      description: 'At most 10,000 devices, each with deviceIds, or with id and kind alone',
    }),
  ),
  deviceList: Type.Optional(Type.Array(Entry, { ...NOT_EMPTY, description: 'Another name of devices' })),
  deviceIds: Type.Optional(
    Type.Array(Type.Object({ ...Identifier, ipAddress: Entry.properties.ipAddress }), {
      ...NOT_EMPTY,
      description: 'Instead of devices: each entry is a device of its own',
    }),
  ),
};
const ListBody = Type.Object(ListFields);
export type ListBody = Static<typeof ListBody>;

/** Selections that other services have. */
export const RefusedFilters = {
  groupName: Type.Optional(
    Type.Unknown({ ...NOT_EMPTY, description: 'Refused: there are no device groups' }),
  ),
  customFields: Type.Optional(
    Type.Unknown({ ...NOT_EMPTY, description: 'Refused: there are no custom fields' }),
  ),
};

const FilterBody = Type.Object(RefusedFilters);
export type FilterBody = Static<typeof FilterBody>;

/** How requests select their devices: one by one, or by what they have in common. */
export const SelectionFields = {
  accountName: Type.Optional(
    Type.String({
      description:
        "Absent: the session's only account. Without a list of devices all of the account's are meant; then it is required, and other members than those named here are refused",
    }),
  ),
  ...ListFields,
  servicePlan: Type.Optional(
    Type.String({
      ...NOT_EMPTY,
      maxLength: 64,
      description: 'With accountName and without devices: those that are on this plan',
    }),
  ),
  ...RefusedFilters,
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
  devicesUnfollowed: Type.Optional(
    Type.Integer({
      description:
        'Changed devices whose sessions could not be ended or changed, or of which another element of the network could not be informed; absent if there are none',
    }),
  ),
});

export const LinesParams = Type.Object({
  accountName: Type.String(),
  requestId: Type.String({ pattern: UUID_PATTERN }),
});

const LINES_PAGE_MAX = 200;
const LineState = Type.Enum(['waiting', 'done', 'failed']);
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const LinesQuery = Type.Object({
  state: Type.Optional(LineState),
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: DEVICES_MAX, description: 'The `next` of the previous page' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LINES_PAGE_MAX, default: 100 })),
});

export const WireLines = Type.Object({
  operation: Type.String(),
  status: Type.Enum(['Pending', 'Success', 'Failure']),
  requested: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  lines: Type.Array(
    Type.Object({
      deviceId: TextOrNull,
      name: TextOrNull,
      ids: Type.Array(Type.Object({ kind: Type.String(), id: Type.String() })),
      state: LineState,
      reason: Type.Unsafe<string | null>({ ...TextOrNull, description: 'Why it was refused' }),
      callback: Type.Optional(
        Type.Object(
          { messageId: Type.String(), state: Type.Enum(['pending', 'delivered', 'failed']) },
          { description: 'Absent before the callback is sent, and without a listener' },
        ),
      ),
      unfollowed: Type.Optional(
        Type.Array(
          Type.Object({
            element: Type.String(),
            state: Type.Enum(['refused', 'failed']),
            reason: Type.String(),
          }),
          { description: 'Elements of the network that did not follow the change' },
        ),
      ),
    }),
    { description: 'In the order of the request' },
  ),
  next: Type.Optional(Type.Integer({ description: 'Absent at the end' })),
});
