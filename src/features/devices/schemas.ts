import { type Static, Type } from 'typebox';
import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { REPEATED_IDS } from './answered-record.ts';
import { DEVICE_KINDS, DEVICE_STATES } from './device.ts';

const Uuid = Type.String({ pattern: UUID_PATTERN });
/** A pattern cannot check that the day exists; the section does. */
const DateTime = Type.String({ maxLength: 40 });

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const freeForm = Type.Optional(Type.Object({}, { additionalProperties: true }));
const list = Type.Optional(Type.Array(Type.Unknown(), { maxItems: 1_000 }));

const repeatedIds = Object.fromEntries(REPEATED_IDS.map((kind) => [kind, Type.Optional(Type.Unknown())]));

/**
 * The fields of the device record. It also accepts the fields that the service stores apart, so that a record can be
 * imported as it was answered; `checkAnswered` checks them.
 */
const RecordEntry = Type.Object(
  {
    id: Type.Optional(Uuid),
    foreignid: Type.Optional(Uuid),
    createdon: Type.Optional(DateTime),
    version: text(20),
    versionid: Type.Optional(Uuid),
    lastupdated: Type.Optional(DateTime),
    accountclientid: text(32),
    billingaccountid: text(32),
    ...repeatedIds,
    name: text(200),
    description: text(1_000),
    chipset: text(100),
    manufacturer: text(100),
    productmodel: text(100),
    hardwareversion: text(100),
    softwareversion: text(100),
    providerid: text(100),
    qrcode: text(200),
    refid: text(200),
    refidtype: text(50),
    serial: text(100),
    sku: text(100),
    parentdeviceid: Type.Optional(Uuid),
    state: text(20),
    customdata: freeForm,
    fields: freeForm,
    commands: freeForm,
    modelmetadata: freeForm,
    licenses: list,
    services: list,
  },
  { additionalProperties: false },
);

export const OrdersEntry = Type.Object(
  {
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
    refusal: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The reason of the refusal' }),
    ),
    silent: Type.Optional(Type.Boolean({ description: 'Orders get no answer' })),
  },
  { additionalProperties: false, description: 'Delays, refuses or ignores orders for the line' },
);

export const SimulationEntry = Type.Object(
  {
    online: Type.Optional(Type.Boolean()),
    position: Type.Optional(
      Type.Object(
        {
          lat: Type.Number({ minimum: -90, maximum: 90 }),
          lon: Type.Number({ minimum: -180, maximum: 180 }),
          radius: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
        },
        { additionalProperties: false },
      ),
    ),
    error: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    orders: Type.Optional(OrdersEntry),
  },
  { additionalProperties: false },
);

const identifiers = Object.fromEntries(DEVICE_ID_KINDS.map((kind) => [kind, text(40)]));

export const DeviceEntry = Type.Object(
  {
    accountName: Type.String(),
    kind: Type.Optional(Type.Enum([...DEVICE_KINDS])),
    ...identifiers,
    state: Type.Optional(Type.Enum([...DEVICE_STATES])),
    servicePlan: text(64),
    planSince: Type.Optional(DateTime),
    iot: Type.Optional(Type.Boolean()),
    labels: Type.Optional(
      Type.Array(
        Type.Object({ name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 200 }) }),
        {
          maxItems: 50,
        },
      ),
    ),
    record: Type.Optional(RecordEntry),
    activatedBySku: Type.Optional(Type.Boolean()),
    otaUpdated: Type.Optional(Type.Boolean()),
    nodeUuid: Type.Optional(Uuid),
    simulation: Type.Optional(SimulationEntry),
  },
  { additionalProperties: false },
);
export type DeviceEntry = Static<typeof DeviceEntry> & Record<string, unknown>;
