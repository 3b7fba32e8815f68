/** The parts of a JSON schema that matter for normalising the input of real clients. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  /** Set on booleans that clients also send as "true" and "false", and on integers that they send as text. */
  readonly lenient?: boolean;
  /** Set on members that select objects: there null is an error and not absence, which would mean everything. */
  readonly selects?: boolean;
}

/** The text form in which clients send whole numbers. */
const isTextOfDigits = (text: string): boolean => /^[0-9]+$/.test(text);

type Step = (value: unknown) => unknown;

/** The canonical spellings of an enumeration's values by lower-case form; undefined if it is not one of text. */
function spellings({ enum: values, anyOf }: Schema): ReadonlyMap<string, string> | undefined {
  const all =
    values ?? (anyOf?.every((choice) => 'const' in choice) ? anyOf.map((choice) => choice.const) : undefined);
  if (all === undefined || !all.every((value) => typeof value === 'string')) return undefined;
  return new Map(all.map((value) => [value.toLowerCase(), value]));
}

const allowsNull = ({ type, anyOf, const: only }: Schema): boolean =>
  type === 'null' ||
  only === null ||
  (Array.isArray(type) && type.includes('null')) ||
  (anyOf?.some(allowsNull) ?? false);

function scalar(schema: Schema): Step | undefined {
  const known = spellings(schema);
  if (known)
    return (value) => (typeof value === 'string' ? (known.get(value.toLowerCase()) ?? value) : value);
  if (schema.type === 'boolean' && schema.lenient) {
    return (value) =>
      typeof value === 'string' && /^(true|false)$/i.test(value) ? /^t/i.test(value) : value;
  }
  if (schema.type === 'integer' && schema.lenient)
    return (value) => (typeof value === 'string' && isTextOfDigits(value) ? Number(value) : value);
  return undefined;
}

/** A number with kept digits looks like an object: where the schema has an object, it is validated as a number. */
const plainNumber: Step = (value) => (JSON.isRawJSON(value) ? Number(value.rawJSON) : value);

function object({ properties = {}, required = [] }: Schema): Step {
  const steps = Object.entries(properties).map(([name, schema]) => ({
    name,
    step: compileNormaliser(schema),
    dropNull: !required.includes(name) && !allowsNull(schema) && schema.selects !== true,
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (JSON.isRawJSON(value)) return plainNumber(value);
    const record = value as Record<string, unknown>;
    for (const { name, step, dropNull } of steps) {
      const member = record[name];
      if (member === undefined) continue;
      if (member === null && dropNull) delete record[name];
      else if (step !== undefined) record[name] = step(member);
    }
    return record;
  };
}

/**
 * Normalises a body before it is validated: `null` for an optional field means absent (unless the field selects), enumerations
 * are accepted in any letter case, lenient booleans and integers may be text. Nothing else is coerced: Fastify's usual
 * coercion would turn `allDevice: null` into false and lift every exclusion.
 */
export function compileNormaliser(schema: Schema): Step | undefined {
  if (schema.properties) return object(schema);
  if (schema.type === 'object') return plainNumber;
  if (schema.items) {
    const step = compileNormaliser(schema.items);
    return step && ((value) => (Array.isArray(value) ? value.map(step) : value));
  }
  return scalar(schema);
}
