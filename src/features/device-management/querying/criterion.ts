import type { DeviceIdKind } from '../../../kernel/device-id.ts';

/** One thing that must be true of a record; all of a query's must be. */
export type Criterion =
  | { readonly on: 'identifier'; readonly kind: DeviceIdKind; readonly values: readonly string[] }
  | {
      readonly on: 'uuid';
      readonly column: 'id' | 'device' | 'foreign' | 'version' | 'node';
      readonly value: string;
    }
  /** A moment is a millisecond: answers show no more of it. */
  | { readonly on: 'moment'; readonly column: 'created' | 'updated'; readonly from: Date; readonly to: Date }
  | { readonly on: 'version'; readonly value: string }
  /** A path into the owner's document holds this text, or what is written like it. */
  | {
      readonly on: 'document';
      readonly path: readonly string[];
      readonly text: string;
      readonly forms: readonly unknown[];
      /** The text is answered where the document says nothing. */
      readonly orAbsent: boolean;
    }
  /** No record can fit, or each does. */
  | { readonly on: 'nothing' }
  | { readonly on: 'everything' };
