import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { forZone } from '../../kernel/time-zones.ts';

/** Messages have exactly the described members; any difference is a bug in the builder. */
export const closed = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) });

/** The members of the shape, in its order. The given object may have more, or undefined for one to leave out. */
export const only = <S extends TObject>(
  shape: S,
  value: { readonly [Name in keyof Static<S>]: Static<S>[Name] | undefined },
): Static<S> => {
  const given = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(shape.properties).filter((name) => given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Static<S>;
};

/** A list type that accepts read-only lists too. */
export const listOf = <T extends TSchema>(items: T) => Type.Unsafe<readonly Static<T>[]>(Type.Array(items));

/** An object with any members. */
export const FreeForm = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true }),
);

export const Text = Type.String();
export const OptionalText = Type.Optional(Text);
export const Count = Type.Integer({ minimum: 0 });
export const AccountName = Type.String({ description: 'Billing account, leading zeros kept' });
export const RequestId = Type.String({
  minLength: 1,
  description: 'The same value as in the answer to the request that caused the callback',
});

const DATE_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$';
export const DateTime = Type.String({ pattern: DATE_TIME, description: 'ISO 8601 with offset' });
export const SlashDate = Type.String({ pattern: '^\\d{2}/\\d{2}/\\d{4}$', description: 'mm/dd/yyyy' });

export const DeviceRef = closed({
  id: Type.String({ minLength: 1 }),
  kind: Type.String({
    minLength: 1,
    description: 'imei, iccid, imsi, msisdn, mdn, min or another kind; compare it ignoring letter case',
  }),
});
export type DeviceRef = Static<typeof DeviceRef>;
export const DeviceRefs = listOf(DeviceRef);

const slashDateIn = forZone(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);

/** Avoids loading time zone data, which is large and which not every process needs. */
const slashDateInUtc = (moment: Date): string =>
  moment.toISOString().replace(/^(\d{4})-(\d{2})-(\d{2}).*$/, '$2/$3/$1');

/** The local day in the account's time zone, as mm/dd/yyyy. */
export const toSlashDate = (moment: Date, timeZone = 'UTC'): string =>
  timeZone === 'UTC' ? slashDateInUtc(moment) : slashDateIn(timeZone).format(moment);
