import { IsDateTime } from 'typebox/format';
import { isUuid } from '../../../kernel/uuid.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { textOf } from '../../../platform/json/exact-json.ts';
import { recordFaults } from '../errors.ts';
import { PATH_MAX } from '../limits.ts';
import type { Criterion } from './fields.ts';
import { FIELDS, type Field, type RecordKind } from './fields.ts';
import { parseIdentifier } from './parse-identifiers.ts';

const NOTHING: Criterion = { on: 'nothing' };
const COLUMNS = { id: 'id', deviceId: 'device', foreignId: 'foreign', versionId: 'version' } as const;
const JSON_NUMBER = /^-?(0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?(e[-+]?[0-9]{1,3})?$/i;
const VALUE_MAX = 2_000;

/** No client may use this name: it means something else to an object than to a document. */
const isForbidden = (name: string): boolean => name.split('.').includes('__proto__');

/** Undefined if the text is no date and time. */
export const momentOf = (text: string): Date | undefined =>
  IsDateTime(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined;

/** Compares texts: "5" matches the text 5 and the number 5, if a field may hold either. */
function formsOf(as: (Field & { from: 'record' })['as'], text: string): readonly unknown[] {
  if (as === 'flag') return /^(true|false)$/.test(text) ? [text === 'true'] : [];
  if (as !== 'any') return [text];
  return [
    text,
    ...(JSON_NUMBER.test(text) ? [JSON.rawJSON(text)] : []),
    ...(/^(true|false)$/.test(text) ? [text === 'true'] : []),
  ];
}

function onColumn({ column, as }: Field & { from: 'column' }, text: string): Criterion {
  if (as === 'count') return /^[0-9]{1,18}$/.test(text) ? { on: 'version', value: text } : NOTHING;
  if (as === 'uuid')
    return isUuid(text)
      ? { on: 'uuid', column: COLUMNS[column as keyof typeof COLUMNS], value: text.toLowerCase() }
      : NOTHING;
  const from = momentOf(text);
  return from === undefined
    ? NOTHING
    : {
        on: 'moment',
        column: column === 'createdOn' ? 'created' : 'updated',
        from,
        to: new Date(from.getTime() + 1),
      };
}

function onDocument(
  { as, empty }: Field & { from: 'record' },
  path: readonly string[],
  given: string,
): Criterion {
  // Only objects have members; a path into another value matches nothing.
  if (path.length > 1 && as !== 'any') return NOTHING;
  const text = as === 'moment' ? (momentOf(given)?.toISOString() ?? given) : given;
  const forms = formsOf(as, text);
  const orAbsent = path.length === 1 && empty !== null && textOf(empty) === text;
  return forms.length === 0 && !orAbsent ? NOTHING : { on: 'document', path, text, forms, orAbsent };
}

/** Undefined if records have no such field. */
function readOne(
  accountName: string,
  kind: RecordKind,
  path: readonly [string, ...string[]],
  text: string,
): Criterion | undefined {
  const [first] = path;
  const field = Object.hasOwn(FIELDS[kind], first) ? FIELDS[kind][first] : undefined;
  if (field === undefined) return undefined;
  if (field.from === 'record') return onDocument(field, path, text);
  if (path.length > 1) return NOTHING;
  switch (field.from) {
    case 'nothing':
      return NOTHING;
    case 'account':
      return { on: text === accountName ? 'everything' : 'nothing' };
    case 'identifier':
      return parseIdentifier(field.kind, text) ?? NOTHING;
    case 'column':
      return onColumn(field, text);
  }
}

/** Applies `read` to each field, sorted by name so that equal selections are equal. Null counts as absent. */
export const parseFields = <T>(
  selection: Readonly<Record<string, unknown>> = {},
  read: (path: readonly [string, ...string[]], text: string) => T | undefined,
): readonly T[] =>
  Object.entries(selection)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const cause = `filter.$selection.${name}`;
      if (isForbidden(name)) return refuse(recordFaults.badName, { reason: name, cause });
      const text = textOf(value);
      if (text === undefined || text.length > VALUE_MAX) return refuse(recordFaults.badCriterion, { cause });
      const path = name.split('.') as [string, ...string[]];
      const known = path.length <= PATH_MAX && !path.includes('') ? read(path, text) : undefined;
      return known ?? refuse(recordFaults.unknownField, { reason: name, cause });
    });

/** The criteria of a selection. */
export const parseSelection = (
  accountName: string,
  kind: RecordKind,
  selection?: Readonly<Record<string, unknown>>,
): readonly Criterion[] => parseFields(selection, (path, text) => readOne(accountName, kind, path, text));
