import { type Answer, LinekeeperError } from '../../../sdk/index.ts';
import { call, nextOf, request } from './client.ts';
import { isExactNumber, parseObject } from './exact-json.ts';

const QUERIES = {
  device: 'POST /dm/v1/devices/actions/query',
  gateway: 'POST /dm/v1/devices/gateways/actions/query',
  sensor: 'POST /dm/v1/devices/sensors/actions/query',
} as const;
const PUT_RULE = 'POST /dm/v1/rules';
const TRIAL = 'POST /dm/v1/rules/actions/try';
const VERSIONS = 'GET /dm/v1/accounts/{accountName}/rules/{ruleId}/versions';

type Wire = Readonly<Record<string, unknown>>;
type WireRule = Answer<typeof PUT_RULE>;

export type RecordKind = keyof typeof QUERIES;
export const RECORD_KINDS = ['device', 'gateway', 'sensor'] as const satisfies readonly RecordKind[];
export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
}
export type RuleTrial = Answer<typeof TRIAL>;
export interface RuleFields {
  readonly name: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly syntax: string;
  /** As JSON: numbers of 64 bits keep their digits. */
  readonly chain: string;
}
export type Evaluation = NonNullable<WireRule['evaluation']>;

/** The fields that the list shows and requests. */
const LISTED = ['id', 'name', 'description', 'manufacturer', 'productmodel', 'serial', 'lastupdated'];
const APART = new Set([...LISTED, 'versionid', 'customdata', 'accountclientid']);

const asJson = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);
function text(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const toListed = (record: Wire) => ({
  id: text(record['id']) ?? '',
  name: text(record['name']),
  description: text(record['description']),
  manufacturer: text(record['manufacturer']),
  model: text(record['productmodel']),
  serial: text(record['serial']),
  lastUpdated: text(record['lastupdated']),
});
export type ListedRecord = ReturnType<typeof toListed>;

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !isExactNumber(value) && Object.keys(value).length === 0);

const toDetail = (record: Wire, kind: RecordKind) => ({
  ...toListed(record),
  kind,
  versionId: text(record['versionid']),
  customData: asJson(record['customdata']),
  /** All other fields, under their names in the interface. */
  fields: Object.entries(record)
    .filter(([name, value]) => !APART.has(name) && !isEmpty(value))
    .map(([name, value]) => ({ name, value: text(value) ?? '' })),
});
export type RecordDetail = ReturnType<typeof toDetail>;

const toRule = ({ id, versionid, name, description, disabled, ...rest }: WireRule) => ({
  id: id ?? '',
  versionId: versionid ?? undefined,
  name: name ?? '',
  description: description ?? '',
  disabled: disabled === true,
  syntax: rest.rulesyntax ?? '',
  chain: asJson(rest.rulechain),
  evaluation: rest.evaluation ?? { active: false },
});
export type Rule = ReturnType<typeof toRule>;

const toWireRule = ({ name, description, disabled, syntax, chain }: RuleFields) => ({
  name,
  description,
  disabled,
  rulesyntax: syntax,
  rulechain: parseObject(chain),
});

export async function listRecords(
  accountName: string,
  kind: RecordKind,
  selection: Wire,
  page?: string,
  signal?: AbortSignal,
) {
  const filter = { $projection: LISTED, $page: page, $selection: selection };
  const { data, headers } = await request(QUERIES[kind], {
    body: { accountname: accountName, filter },
    signal,
  });
  return { records: data.map(toListed), ...nextOf(headers) };
}

export async function readRecord(accountName: string, { kind, id }: RecordRef, signal?: AbortSignal) {
  const body = { accountname: accountName, resourceidentifier: { id } };
  const [record] = await call(QUERIES[kind], { body, signal });
  if (record === undefined)
    throw new LinekeeperError('refused', 'The account has no such device', { status: 404 });
  return toDetail(record, kind);
}

export interface RecordChange {
  readonly name: string;
  readonly description: string;
  readonly customData: string;
}

/** Refused if someone else has changed it since it was read; the same holds for rules. */
export const changeRecord = async (
  accountName: string,
  { id, versionId }: RecordDetail,
  { customData, ...owned }: RecordChange,
) =>
  call('PATCH /dm/v1/devices', {
    body: {
      accountname: accountName,
      id,
      versionid: versionId ?? undefined,
      device: { ...owned, customdata: parseObject(customData) },
    },
  });

export async function listRules(accountName: string, deviceid: string, page?: string, signal?: AbortSignal) {
  const { data, headers } = await request('POST /dm/v1/rules/actions/query', {
    body: { accountname: accountName, resourceidentifier: { deviceid }, filter: { $page: page } },
    signal,
  });
  return { rules: data.map(toRule), ...nextOf(headers) };
}

type WireVersion = Answer<typeof VERSIONS>['versions'][number];

const toFields = (state: WireVersion['after']): RuleFields | null =>
  state && {
    name: state.name,
    description: state.description,
    disabled: state.disabled,
    syntax: state.rulesyntax,
    chain: asJson(state.rulechain),
  };

const toVersion = ({ before, after, ...version }: WireVersion) => ({
  ...version,
  before: toFields(before),
  after: toFields(after),
});
export type RuleVersion = ReturnType<typeof toVersion>;

export async function listRuleVersions(
  accountName: string,
  ruleId: string,
  page?: string,
  signal?: AbortSignal,
) {
  const { versions, next } = await call(VERSIONS, { path: { accountName, ruleId }, query: { page }, signal });
  return { versions: versions.map(toVersion), ...(next !== undefined && { next }) };
}

export const tryRule = async (
  accountName: string,
  deviceid: string,
  { syntax: rulesyntax, chain }: Pick<RuleFields, 'syntax' | 'chain'>,
) =>
  call(TRIAL, {
    body: { accountname: accountName, rule: { deviceid, rulesyntax, rulechain: parseObject(chain) } },
  });

export const createRule = async (accountName: string, deviceid: string, fields: RuleFields) =>
  toRule(
    await call(PUT_RULE, { body: { accountname: accountName, rule: { ...toWireRule(fields), deviceid } } }),
  );

export const changeRule = async (accountName: string, { id, versionId }: Rule, fields: RuleFields) =>
  toRule(
    await call(PUT_RULE, {
      body: {
        accountname: accountName,
        resourceidentifier: { id },
        versionid: versionId,
        rule: toWireRule(fields),
      },
    }),
  );

export const deleteRule = (accountName: string, id: string) =>
  call('DELETE /dm/v1/rules', { body: { accountname: accountName, id } });
