import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';

/** A small mistake in one place of one file, which a test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** What is replaced in the file, as offsets. */
  readonly from: number;
  readonly to: number;
  readonly was: string;
  readonly becomes: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};
/** In statements of the database. A word stands alone, and an operator has a space on each side. */
const IN_SQL: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/(?<= )(<|<=|>|>=|\+|-|\*)(?= )/g, (found) => OPERATORS[found]!],
  [/(?<= )=(?= )/g, () => '<>'],
  [/\b(and|or)\b/g, (found) => (found === 'and' ? 'or' : 'and')],
  [/\bis (not )?null\b/g, (found) => (found === 'is null' ? 'is not null' : 'is null')],
  [/\b(min|max|least|greatest)(?=\()/g, (found) => SQL_CALLS[found]!],
  [/\b(not )?exists\b/g, (found) => (found === 'exists' ? 'not exists' : 'exists')],
  [/\bdesc\b/g, () => 'asc'],
  [/\bfor (no key )?update\b|\bfor share\b/g, () => ''],
];
const SQL_CALLS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  least: 'greatest',
  greatest: 'least',
};

interface Placed {
  readonly start: number;
  readonly end: number;
}

/** Every mutant of a file, in the order of its text. */
export function findMutants(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8');
  const found: Mutant[] = [];
  const add = (from: number, to: number, becomes: string) => {
    const line = text.slice(0, from).split('\n').length;
    found.push({ file, line, from, to, was: text.slice(from, to), becomes });
  };
  const addOperator = ({ left, right, operator }: { left: Placed; right: Placed; operator: string }) => {
    const other = OPERATORS[operator];
    if (other === undefined) return;
    const from = text.indexOf(operator, left.end);
    if (from < right.start) add(from, from + operator.length, other);
  };
  const addSql = ({ start, end }: Placed) => {
    for (const [pattern, change] of IN_SQL)
      for (const { 0: was, index } of text.slice(start, end).matchAll(pattern))
        add(start + index, start + index + was.length, change(was));
  };
  new Visitor({
    BinaryExpression: addOperator,
    LogicalExpression: addOperator,
    UnaryExpression: ({ operator, start, argument }) => {
      if (operator === '!') add(start, argument.start, '');
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean') add(start, end, String(!value));
      if (typeof value === 'number') add(start, end, String(value + 1));
    },
    ConditionalExpression: ({ test }) => add(test.start, test.end, `!(${text.slice(test.start, test.end)})`),
    IfStatement: ({ test }) => add(test.start, test.end, 'false'),
    ExpressionStatement: ({ start, end, expression }) => {
      if (expression.type === 'CallExpression' || expression.type === 'AwaitExpression') add(start, end, ';');
    },
    MemberExpression: ({ property }) => {
      const other = property.type === 'Identifier' ? METHODS[property.name] : undefined;
      if (other !== undefined) add(property.start, property.end, other);
    },
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (tag.type === 'Identifier' && tag.name === 'sql') quasi.quasis.forEach(addSql);
    },
  }).visit(parseSync(file, text).program);
  return found.sort((a, b) => a.from - b.from || a.to - b.to);
}

const isTest = (file: string) => /\/test\/|\.test\.ts$/.test(file);

export const listMutants = (folders: readonly string[]): Mutant[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`))
    .filter((file) => !isTest(file))
    .sort()
    .flatMap(findMutants);
