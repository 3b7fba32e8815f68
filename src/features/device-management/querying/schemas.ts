import { type Static, type TSchema, Type } from 'typebox';
import {
  PAGE_DEFAULT,
  PAGE_MAX,
  PAGE_NUMBER_MAX,
  PROJECTION_MAX,
  SELECTION_MAX,
  UNPAGED_MAX,
} from '../limits.ts';
import { FIELDS, type Field, type RecordKind } from './fields.ts';
import type { WireRecord } from './wire.ts';

export const AccountName = Type.String({ description: 'Billing account, leading zeros kept' });
export const FreeForm = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
});

export const Filter = Type.Object({
  $expand: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'parentdevice and sensors, separated by commas: the response then contains these records',
    }),
  ),
  $limitnumber: Type.Optional(
    Type.Integer({
      lenient: true,
      minimum: 1,
      maximum: PAGE_MAX,
      description: `Records per page; ${PAGE_DEFAULT} by default`,
    }),
  ),
  $nopagination: Type.Optional(
    Type.Boolean({ lenient: true, description: `If true: up to ${UNPAGED_MAX} records in one response` }),
  ),
  $page: Type.Optional(Type.String({ maxLength: 500, description: 'X-Next of the previous response' })),
  $pagenumber: Type.Optional(Type.Integer({ lenient: true, minimum: 1, maximum: PAGE_NUMBER_MAX })),
  $projection: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: PROJECTION_MAX,
      description: 'The fields to return; unknown names are ignored',
    }),
  ),
  $selection: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      maxProperties: SELECTION_MAX,
      additionalProperties: true,
      description: 'Values by field; all must be equal. Dots lead into objects',
    }),
  ),
});
export type Filter = Static<typeof Filter>;

const identifier = (description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ description: `${description}; text or number` }));

/** Checked in code: integers arrive as numbers of up to 64 bits or as text. */
export const ResourceIdentifier = Type.Object({
  id: identifier('UUID of the record'),
  deveui: identifier('EUI-64'),
  deviceid: identifier('UUID of the device'),
  esn: identifier('64-bit integer'),
  iccid: identifier('20 digits'),
  imei: identifier('15 digits'),
  imsi: identifier('64-bit integer'),
  mac: identifier('Joined by - or :'),
  manufacturer: identifier('Manufacturer'),
  meid: identifier('56-bit mobile equipment id'),
  msisdn: identifier('Phone number'),
  node_uuid: identifier('UUID of the node'),
  qrcode: identifier('Value of the QR code'),
  serial: identifier('Serial number'),
});
export type ResourceIdentifier = Static<typeof ResourceIdentifier>;

export const QueryBody = Type.Object({
  accountname: AccountName,
  filter: Type.Optional(Filter),
  resourceidentifier: Type.Optional(ResourceIdentifier),
});
export type QueryBody = Static<typeof QueryBody>;

const SHAPES: Readonly<Record<string, TSchema>> = {
  integer: Type.Union([Type.Integer(), Type.Null()]),
  flag: Type.Union([Type.Boolean(), Type.Null()]),
  object: Type.Object({}, { additionalProperties: true }),
  list: Type.Array(Type.Unknown()),
};

function shapeOf(field: Field): TSchema {
  if (field.from === 'record' && field.as === 'any')
    return SHAPES[Array.isArray(field.empty) ? 'list' : 'object']!;
  const named = 'as' in field ? SHAPES[field.as] : undefined;
  return named ?? Type.Union([Type.String(), Type.Null()]);
}

/** The record as in 2.7 to 2.9; a query may request only some of its fields. */
const wireSchema = (kind: RecordKind, more: Readonly<Record<string, TSchema>> = {}) =>
  Type.Unsafe<WireRecord>(
    Type.Partial(
      Type.Object({
        ...Object.fromEntries(Object.entries(FIELDS[kind]).map(([name, field]) => [name, shapeOf(field)])),
        ...more,
      }),
    ),
  );

const Expanded = Type.Object({}, { additionalProperties: true });

const Evaluation = Type.Object(
  {
    active: Type.Boolean(),
    dialect: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
  },
  { description: 'Whether the rule is evaluated, otherwise the reason' },
);

/** The schema of each kind of record in responses. */
export const wireOf = {
  device: wireSchema('device', {
    sensors: Type.Array(Expanded, { description: 'With $expand' }),
    parentdevice: Type.Union([Expanded, Type.Null()], { description: 'With $expand' }),
  }),
  gateway: wireSchema('gateway', { sensors: Type.Array(Expanded, { description: 'With $expand' }) }),
  sensor: wireSchema('sensor', {
    parentdevice: Type.Union([Expanded, Type.Null()], { description: 'With $expand' }),
  }),
  user: wireSchema('user'),
  rule: wireSchema('rule', { evaluation: Evaluation }),
};
