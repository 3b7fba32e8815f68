/** The part of JSON Schema that the service's own document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
}

/** Inputs accept read-only lists and undefined members; answers are plain. */
export type Direction = 'sent' | 'answered';

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const INDENT = '  ';
export const indent = (text: string): string => text.replaceAll('\n', `\n${INDENT}`);

/** Escapes the end of a comment, after which the description would become code. */
export const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;

export const nameOf = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

export const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

function writeObject({ properties = {}, required = [], ...schema }: Schema, direction: Direction): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const [type, optional] = [writeType(member, direction), !required.includes(name)];
    const absent = optional && direction === 'sent' && type !== 'unknown' ? ' | undefined' : '';
    return `${comment(member.description)}${nameOf(name)}${optional ? '?' : ''}: ${type}${absent};`;
  });
  const others = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].filter(
    (more) => more !== undefined && more !== false,
  );
  const types = others.map((more) => (typeof more === 'object' ? writeType(more, direction) : 'unknown'));
  // With named members, the index type would have to include all their types.
  if (types.length > 0) members.push(`[name: string]: ${members.length > 0 ? 'unknown' : union(types)};`);
  if (members.length === 0) return 'Record<string, unknown>';
  return `{\n${INDENT}${indent(members.join('\n'))}\n}`;
}

function writeOne(type: string, schema: Schema, direction: Direction): string {
  if (type === 'object') return writeObject(schema, direction);
  if (type !== 'array') return PLAIN[type] ?? 'unknown';
  const list = `Array<${schema.items === undefined ? 'unknown' : writeType(schema.items, direction)}>`;
  return direction === 'sent' ? `Readonly${list}` : list;
}

export function writeType(schema: Schema, direction: Direction): string {
  const { anyOf, oneOf, allOf, type } = schema;
  if (Object.hasOwn(schema, 'const')) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return union(choices.map((choice) => writeType(choice, direction)));
  if (allOf !== undefined) return allOf.map((part) => `(${writeType(part, direction)})`).join(' & ');
  if (type === undefined) return schema.properties === undefined ? 'unknown' : writeObject(schema, direction);
  return union([type].flat().map((name) => writeOne(name, schema, direction)));
}
