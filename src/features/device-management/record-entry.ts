import { IsDateTime } from 'typebox/format';
import { documentOf } from './querying/wire.ts';

type Entry = Readonly<Record<string, unknown>> & { readonly accountName: string };

const DATES = ['createdon', 'lastupdated', 'acktermson', 'requestedon'];
const IDS = ['id', 'foreignid', 'versionid', 'deviceid'];
/** Not stored in the record: these have columns of their own, or follow from the account. */
const OUTSIDE_RECORD = new Set([
  'accountName',
  'accountclientid',
  'billingaccountid',
  'secondarybillingaccountids',
  'id',
  'foreignid',
  'createdon',
  'lastupdated',
  'version',
  'versionid',
  'deviceImei',
  'deviceid',
]);

const isMoment = (text: string) => IsDateTime(text) && !Number.isNaN(Date.parse(text));

/** The problems of an entry with the fields of a record. */
export function* checkRecord(entry: Entry): Generator<{ path: string; detail: string }> {
  for (const name of DATES) {
    const value = entry[name];
    if (typeof value === 'string' && !isMoment(value))
      yield { path: `/${name}`, detail: 'is not a date and time' };
  }
  const { billingaccountid, accountName } = entry;
  if (billingaccountid !== undefined && billingaccountid !== accountName)
    yield { path: '/billingaccountid', detail: 'must be the same as accountName' };
}

/**
 * Writes ids in lower case and times in UTC, so that equal values are equal strings; nests the record's own fields.
 */
export function prepareRecord(entry: Entry): object {
  const canonical = Object.entries(entry).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value] as const;
    if (IDS.includes(name)) return [name, value.toLowerCase()] as const;
    return [name, DATES.includes(name) ? new Date(value).toISOString() : value] as const;
  });
  return {
    ...Object.fromEntries(canonical.filter(([name]) => OUTSIDE_RECORD.has(name))),
    record: Object.fromEntries(canonical.filter(([name]) => !OUTSIDE_RECORD.has(name))),
  };
}

/** The record is passed as text: its numbers may have more digits than JavaScript numbers. */
export const toEntry = ({
  record,
  ...apart
}: {
  readonly accountName: string;
  readonly record: string;
}): object => ({
  ...apart,
  ...documentOf({ record }),
});
