import type { DeviceIdColumns, DeviceIdKind } from '../../../kernel/device-id.ts';

const RECORD_KINDS = ['device', 'gateway', 'sensor', 'user', 'rule'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The source of a field's value, which decides how it is written and queried. */
export type Field =
  /** Fields of the interface for which the service has no values. */
  | { readonly from: 'nothing' }
  | { readonly from: 'account' }
  | { readonly from: 'column'; readonly column: Column; readonly as: 'uuid' | 'moment' | 'count' }
  | { readonly from: 'identifier'; readonly kind: DeviceIdKind; readonly as: 'text' | 'integer' }
  /** A field of the owner: a member of the stored document; `empty` is returned if the document has none. */
  | { readonly from: 'record'; readonly as: Holds; readonly empty: unknown };

type Holds = 'text' | 'flag' | 'moment' | 'any';
type Column = 'id' | 'deviceId' | 'foreignId' | 'createdOn' | 'lastUpdated' | 'version' | 'versionId';
type Fields = Readonly<Record<string, Field>>;

/** A record as stored in its table. */
export interface StoredRecord {
  readonly kind: RecordKind;
  /** Its sort key in lists of its kind. */
  readonly place: string;
  readonly id: string;
  /** For rules: the device. */
  readonly deviceId?: string;
  /** For devices, gateways and sensors. */
  readonly identifiers?: DeviceIdColumns;
  /** As text: its numbers may have more digits than JavaScript numbers. */
  readonly record: string;
  readonly foreignId: string;
  readonly createdOn: Date;
  readonly lastUpdated: Date;
  readonly version: string;
  readonly versionId: string;
}

/** One condition of a query on a record; a record must meet all of them. */
export type Criterion =
  | { readonly on: 'identifier'; readonly kind: DeviceIdKind; readonly values: readonly string[] }
  | {
      readonly on: 'uuid';
      readonly column: 'id' | 'device' | 'foreign' | 'version' | 'node';
      readonly value: string;
    }
  /** Compared by millisecond, because responses show no finer time. */
  | { readonly on: 'moment'; readonly column: 'created' | 'updated'; readonly from: Date; readonly to: Date }
  | { readonly on: 'version'; readonly value: string }
  /** The document has this text at this path, or a value with the same spelling. */
  | {
      readonly on: 'document';
      readonly path: readonly string[];
      readonly text: string;
      readonly forms: readonly unknown[];
      /** Whether records without a value there match too, because the response shows this text for them. */
      readonly orAbsent: boolean;
    }
  /** Matches no record, or every record. */
  | { readonly on: 'nothing' }
  | { readonly on: 'everything' };

const nothing: Field = { from: 'nothing' };
const text: Field = { from: 'record', as: 'text', empty: null };
const flag: Field = { from: 'record', as: 'flag', empty: null };
const moment: Field = { from: 'record', as: 'moment', empty: null };
const object: Field = { from: 'record', as: 'any', empty: {} };
const list: Field = { from: 'record', as: 'any', empty: [] };
const textOr = (empty: string): Field => ({ from: 'record', as: 'text', empty });
const id = (kind: DeviceIdKind): Field => ({ from: 'identifier', kind, as: 'text' });
const integer = (kind: DeviceIdKind): Field => ({ from: 'identifier', kind, as: 'integer' });
const uuid = (column: Column): Field => ({ from: 'column', column, as: 'uuid' });

const CREATED_ON: Field = { from: 'column', column: 'createdOn', as: 'moment' };
const LAST_UPDATED: Field = { from: 'column', column: 'lastUpdated', as: 'moment' };
const VERSION: Field = { from: 'column', column: 'version', as: 'count' };

/** Gateways and sensors have all fields of a device except two. */
const GATEWAY: Fields = {
  accountclientid: nothing,
  billingaccountid: { from: 'account' },
  chipset: text,
  createdon: CREATED_ON,
  customdata: object,
  description: text,
  esn: integer('esn'),
  fields: object,
  foreignid: uuid('foreignId'),
  hardwareversion: text,
  iccid: id('iccid'),
  id: uuid('id'),
  imei: integer('imei'),
  imsi: integer('imsi'),
  lastupdated: LAST_UPDATED,
  licenses: list,
  mac: id('mac'),
  manufacturer: text,
  meid: id('meid'),
  msisdn: id('msisdn'),
  name: text,
  parentdeviceid: text,
  productmodel: text,
  providerid: text,
  qrcode: text,
  refid: text,
  refidtype: text,
  serial: text,
  services: list,
  sku: text,
  softwareversion: text,
  state: textOr('success'),
  version: VERSION,
  versionid: uuid('versionId'),
};

const USER: Fields = {
  accountclientid: nothing,
  ackterms: flag,
  acktermson: moment,
  billingaccountid: { from: 'account' },
  createdon: CREATED_ON,
  credentialsid: text,
  credentialstype: textOr('email'),
  customdata: object,
  description: text,
  displayname: text,
  email: text,
  firstname: text,
  foreignid: uuid('foreignId'),
  id: uuid('id'),
  lastname: text,
  lastupdated: LAST_UPDATED,
  mdn: text,
  middlename: text,
  name: text,
  number: text,
  requestedon: moment,
  secondarybillingaccountids: nothing,
  state: textOr('success'),
  version: VERSION,
  versionid: uuid('versionId'),
};

const RULE: Fields = {
  accountclientid: nothing,
  billingaccountid: { from: 'account' },
  createdon: CREATED_ON,
  description: text,
  deviceid: uuid('deviceId'),
  disabled: { from: 'record', as: 'flag', empty: false },
  foreignid: uuid('foreignId'),
  id: uuid('id'),
  lastupdated: LAST_UPDATED,
  name: text,
  rulechain: object,
  rulesyntax: text,
  version: VERSION,
  versionid: uuid('versionId'),
};

/** The fields of 2.7 to 2.9: every record of a kind has all of them. */
export const FIELDS: Readonly<Record<RecordKind, Fields>> = {
  device: { ...GATEWAY, commands: object, modelmetadata: object },
  gateway: GATEWAY,
  sensor: GATEWAY,
  user: USER,
  rule: RULE,
};
