import { isOperator, OPERATORS, type Operator } from '../../text/comparison.ts';

/** A condition in the form; its value is the typed text. */
export interface DraftRow {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

export interface RuleDraft {
  readonly match: 'all' | 'any';
  readonly rows: readonly DraftRow[];
  /** Minutes, as text; empty for at once. */
  readonly minutes: string;
  readonly message: string;
}

export const takesValue = (operator: Operator): boolean => operator !== 'changed' && operator !== 'exists';

export const NEW_ROW: DraftRow = { field: '', operator: 'gt', value: '' };
export const NEW_DRAFT: RuleDraft = { match: 'all', rows: [NEW_ROW], minutes: '', message: '' };

/** Text that looks like a number, true or false becomes that value; quotes keep it a string. */
function parseScalar(written: string): unknown {
  const text = written.trim();
  if (/^".*"$/s.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}

function writeScalar(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  return parseScalar(value) === value && !value.includes(',') ? value : `"${value}"`;
}

const splitList = (text: string): readonly string[] => text.match(/"[^"]*"|[^,]+/g) ?? [];

function toLeaf({ field, operator, value }: DraftRow): object {
  if (!takesValue(operator)) return { field: field.trim(), operator };
  const isList = operator === 'in' || operator === 'between';
  return {
    field: field.trim(),
    operator,
    value: isList ? splitList(value).map(parseScalar) : parseScalar(value),
  };
}

/** The rule chain for the values of the form. */
export function toChain({ match, rows, minutes, message }: RuleDraft): object {
  const leaves = rows.map(toLeaf);
  const condition = leaves.length === 1 ? leaves[0]! : { [match]: leaves };
  const around = {
    ...(minutes.trim() !== '' && { for: `PT${minutes.trim()}M` }),
    ...(message.trim() !== '' && { message: message.trim() }),
  };
  return Object.keys(around).length === 0 ? condition : { when: condition, ...around };
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fromLeaf(leaf: unknown): DraftRow | undefined {
  if (!isObject(leaf)) return undefined;
  const { field, operator: named, value } = leaf;
  const operator = String(named).toLowerCase();
  if (typeof field !== 'string' || !isOperator(operator)) return undefined;
  if (!takesValue(operator)) return { field, operator, value: '' };
  const texts = (Array.isArray(value) ? value : [value]).map(writeScalar);
  return texts.every((text) => text !== undefined) ? { field, operator, value: texts.join(', ') } : undefined;
}

/** Undefined for a chain that the form cannot express. */
export function fromChain(chain: unknown): RuleDraft | undefined {
  if (!isObject(chain)) return undefined;
  const { when = chain, for: held = '', message = '' } = 'when' in chain ? chain : {};
  if (!isObject(when)) return undefined;
  const match = 'any' in when ? 'any' : 'all';
  const leaves = when[match] ?? [when];
  const rows = Array.isArray(leaves) ? leaves.map(fromLeaf) : [];
  const minutes = held === '' ? '' : /^PT(\d+)M$/.exec(String(held))?.[1];
  if (minutes === undefined || rows.length === 0 || !rows.every((row) => row !== undefined)) return undefined;
  const draft = { match, rows, minutes, message: String(message) } as const;
  // The form must reproduce the chain exactly; otherwise it cannot show it.
  return sameJson(toChain(draft), chain) ? draft : undefined;
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, part]) => [name, sorted(part)] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value;
const sameJson = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sorted(a)).toLowerCase() === JSON.stringify(sorted(b)).toLowerCase();

const sayRow = ({ field, operator, value }: DraftRow): string => {
  const name = field.trim() || '…';
  if (!takesValue(operator)) return `${name} ${OPERATORS[operator]}`;
  const values = splitList(value).map((text) => text.trim());
  const said = operator === 'between' ? values.join(' and ') : values.join(', ');
  return `${name} ${OPERATORS[operator]} ${said || '…'}`;
};

/** The rule in words. */
export function sayRule({ match, rows, minutes }: RuleDraft): string {
  const condition = rows.map(sayRow).join(match === 'all' ? ' and ' : ' or ');
  const span = minutes.trim() === '' ? '' : ` for ${minutes.trim()} minutes`;
  return `Raises an alert when ${condition}${span}.`;
}
