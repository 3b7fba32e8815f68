import { IsDateTime } from 'typebox/format';
import { documentOf } from './querying/wire.ts';

type Entry = Readonly<Record<string, unknown>> & { readonly accountName: string };

const DATES = ['createdon', 'lastupdated', 'acktermson', 'requestedon'];
const IDS = ['id', 'foreignid', 'versionid', 'deviceid'];
/** Not kept with the record: columns of their own, or what the account says anyway. */
const APART = new Set([
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

/** What is wrong with an entry that holds the fields of a record. */
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

/** Ids in small letters and moments in UTC, so that equal ones are equal strings; the record's own fields in one object. */
export function prepareRecord(entry: Entry): object {
  const canonical = Object.entries(entry).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value] as const;
    if (IDS.includes(name)) return [name, value.toLowerCase()] as const;
    return [name, DATES.includes(name) ? new Date(value).toISOString() : value] as const;
  });
  return {
    ...Object.fromEntries(canonical.filter(([name]) => APART.has(name))),
    record: Object.fromEntries(canonical.filter(([name]) => !APART.has(name))),
  };
}

/** The record comes as text: numbers in it may have more digits than JavaScript's have. */
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
