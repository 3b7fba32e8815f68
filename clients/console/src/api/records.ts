import { get, ofAccount, send } from './http.ts';

export const RECORD_KINDS = ['device', 'gateway', 'sensor'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface ListedRecord {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly lastUpdated: string | null;
}

export interface RecordDetail extends ListedRecord {
  readonly kind: RecordKind;
  readonly versionId: string | null;
  /** JSON as text: numbers in it may have more digits than a number keeps. */
  readonly customData: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

export interface RuleFields {
  readonly name: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly syntax: string;
  readonly chain: string;
}

export interface Evaluation {
  readonly active: boolean;
  readonly dialect?: string;
  readonly reason?: string;
}

export interface Rule extends RuleFields {
  readonly id: string;
  readonly versionId: string | null;
  readonly lastUpdated: string | null;
  readonly evaluation: Evaluation;
}

export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
}
const pathOf = (accountName: string, { kind, id }: RecordRef): string =>
  ofAccount(accountName, `/records/${kind}/${id}`);

export const listRecords = (
  accountName: string,
  kind: RecordKind,
  selection: Readonly<Record<string, string>>,
  page?: string,
  signal?: AbortSignal,
) =>
  get<{ records: readonly ListedRecord[]; next?: string }>(
    ofAccount(accountName, `/records/${kind}`),
    { selection: Object.keys(selection).length === 0 ? undefined : JSON.stringify(selection), page },
    signal,
  );

export const readRecord = (accountName: string, ref: RecordRef, signal?: AbortSignal) =>
  get<RecordDetail>(pathOf(accountName, ref), {}, signal);

export const changeRecord = (
  accountName: string,
  ref: RecordRef,
  change: {
    readonly versionId?: string;
    readonly name: string;
    readonly description: string;
    readonly customData: string;
  },
) => send<RecordDetail>('PATCH', pathOf(accountName, ref), change);

export const listRules = (accountName: string, ref: RecordRef, page?: string, signal?: AbortSignal) =>
  get<{ rules: readonly Rule[]; next?: string }>(`${pathOf(accountName, ref)}/rules`, { page }, signal);

export const createRule = (accountName: string, deviceId: string, fields: RuleFields) =>
  send<Rule>('POST', ofAccount(accountName, '/rules'), { deviceId, ...fields });

/** Refused when somebody else has changed it since it was read. */
export const changeRule = (accountName: string, { id, versionId }: Rule, fields: RuleFields) => {
  const { name, description, disabled, syntax, chain } = fields;
  return send<Rule>('PUT', ofAccount(accountName, `/rules/${id}`), {
    ...{ name, description, disabled, syntax, chain },
    ...(versionId !== null && { versionId }),
  });
};

export const deleteRule = (accountName: string, ruleId: string) =>
  send('DELETE', ofAccount(accountName, `/rules/${ruleId}`));
