import type { Static } from 'typebox';
import { textOf } from '../../../../platform/json/exact-json.ts';
import type { Evaluation, RuleVersion, WireRecord } from '../../../device-management/index.ts';
import type { WireRecordDetail, WireRule } from './schemas.ts';

type Detail = Static<typeof WireRecordDetail>;

const text = (record: WireRecord, name: string): string | null => textOf(record[name] ?? undefined) ?? null;
const asJson = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);

/** What a line of the list shows; nothing else is asked for. */
export const LISTED = ['id', 'name', 'description', 'manufacturer', 'productmodel', 'serial', 'lastupdated'];
const APART = new Set([...LISTED, 'versionid', 'customdata', 'accountclientid']);

export const toListed = (record: WireRecord) => ({
  id: text(record, 'id') ?? '',
  name: text(record, 'name'),
  description: text(record, 'description'),
  manufacturer: text(record, 'manufacturer'),
  model: text(record, 'productmodel'),
  serial: text(record, 'serial'),
  lastUpdated: text(record, 'lastupdated'),
});

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !JSON.isRawJSON(value) && Object.keys(value).length === 0);

export const toDetail = (record: WireRecord, kind: Detail['kind']): Detail => ({
  ...toListed(record),
  kind,
  versionId: text(record, 'versionid'),
  customData: asJson(record['customdata']),
  fields: Object.entries(record)
    .filter(([name, value]) => !APART.has(name) && !isEmpty(value))
    .map(([name, value]) => ({ name, value: textOf(value) ?? JSON.stringify(value) })),
});

const toRuleFields = (record: WireRecord) => ({
  name: text(record, 'name') ?? '',
  description: text(record, 'description') ?? '',
  disabled: record['disabled'] === true,
  syntax: text(record, 'rulesyntax') ?? '',
  chain: asJson(record['rulechain']),
});

export const toRuleVersion = ({ before, after, ...rest }: RuleVersion) => ({
  ...rest,
  before: before === undefined ? null : toRuleFields(before),
  after: after === undefined ? null : toRuleFields(after),
});

export const toRule = (record: WireRecord): Static<typeof WireRule> => ({
  id: text(record, 'id') ?? '',
  versionId: text(record, 'versionid'),
  lastUpdated: text(record, 'lastupdated'),
  ...toRuleFields(record),
  evaluation: record['evaluation'] as Evaluation,
});
