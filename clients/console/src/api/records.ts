import type { Answer, Body, Input } from '../../../sdk/index.ts';
import { call } from './client.ts';

const RECORDS = 'GET /console/v1/accounts/{accountName}/records/{kind}';
const RECORD = 'GET /console/v1/accounts/{accountName}/records/{kind}/{recordId}';
const CHANGE = 'PATCH /console/v1/accounts/{accountName}/records/{kind}/{recordId}';
const RULES = 'GET /console/v1/accounts/{accountName}/records/{kind}/{recordId}/rules';
const VERSIONS = 'GET /console/v1/accounts/{accountName}/rules/{ruleId}/versions';
const CREATE_RULE = 'POST /console/v1/accounts/{accountName}/rules';

export type RecordKind = Input<typeof RECORDS>['path']['kind'];
export const RECORD_KINDS = ['device', 'gateway', 'sensor'] as const satisfies readonly RecordKind[];
export type ListedRecord = Answer<typeof RECORDS>['records'][number];
export type RecordDetail = Answer<typeof RECORD>;
export type Rule = Answer<typeof RULES>['rules'][number];
export type Evaluation = Rule['evaluation'];
export type RuleVersion = Answer<typeof VERSIONS>['versions'][number];
export type RuleFields = Omit<Body<typeof CREATE_RULE>, 'deviceId'>;

export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
}
const pathOf = (accountName: string, { kind, id }: RecordRef) => ({ accountName, kind, recordId: id });

export const listRecords = (
  accountName: string,
  kind: RecordKind,
  selection: Readonly<Record<string, string>>,
  page?: string,
  signal?: AbortSignal,
) => {
  const asked = Object.keys(selection).length === 0 ? undefined : JSON.stringify(selection);
  return call(RECORDS, { path: { accountName, kind }, query: { selection: asked, page }, signal });
};

export const readRecord = (accountName: string, ref: RecordRef, signal?: AbortSignal) =>
  call(RECORD, { path: pathOf(accountName, ref), signal });

export const changeRecord = (accountName: string, ref: RecordRef, change: Body<typeof CHANGE>) =>
  call(CHANGE, { path: pathOf(accountName, ref), body: change });

export const listRules = (accountName: string, ref: RecordRef, page?: string, signal?: AbortSignal) =>
  call(RULES, { path: pathOf(accountName, ref), query: { page }, signal });

export const listRuleVersions = (accountName: string, ruleId: string, page?: string, signal?: AbortSignal) =>
  call(VERSIONS, { path: { accountName, ruleId }, query: { page }, signal });

export const createRule = (accountName: string, deviceId: string, fields: RuleFields) =>
  call(CREATE_RULE, { path: { accountName }, body: { deviceId, ...fields } });

/** Refused when somebody else has changed it since it was read. */
export const changeRule = (accountName: string, { id, versionId }: Rule, fields: RuleFields) => {
  const { name, description, disabled, syntax, chain } = fields;
  return call('PUT /console/v1/accounts/{accountName}/rules/{ruleId}', {
    path: { accountName, ruleId: id },
    body: { name, description, disabled, syntax, chain, versionId: versionId ?? undefined },
  });
};

export const deleteRule = (accountName: string, ruleId: string) =>
  call('DELETE /console/v1/accounts/{accountName}/rules/{ruleId}', { path: { accountName, ruleId } });
