import type { DeviceIdColumns } from '../../../kernel/device-id.ts';
import type { RecordKind } from './fields.ts';

/** A record as its table keeps it. */
export interface StoredRecord {
  readonly kind: RecordKind;
  /** Its place in the order in which records of its kind are listed. */
  readonly place: string;
  readonly id: string;
  /** The device of a rule. */
  readonly deviceId?: string;
  /** Of devices, gateways and sensors. */
  readonly identifiers?: DeviceIdColumns;
  /** As text: numbers in it may have more digits than JavaScript's have. */
  readonly record: string;
  readonly foreignId: string;
  readonly createdOn: Date;
  readonly lastUpdated: Date;
  readonly version: string;
  readonly versionId: string;
}
