import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { compileNormaliser } from './normalise.ts';

/** Schemas are our own and typed: nobody need look whether they are schemas. */
const options = {
  ...{ useDefaults: true, removeAdditional: false, allErrors: false, strict: false },
  validateSchema: false,
} as const;
/** Made when the first schema is compiled: a start needs none of them. */
function later(more: Options): () => Ajv {
  let made: Ajv | undefined;
  return () => {
    made ??= new Ajv({ ...options, ...more });
    return made;
  };
}
/** Paths and query strings arrive as text and are read as what the schema says. */
const asText = later({ coerceTypes: 'array' });
/** A JSON body already has types; see normalise.ts for the little that is read leniently. */
const asJson = later({ coerceTypes: false });
/** An entry of a long document is told all that is wrong with it at once. */
const asEntry = later({ allErrors: true });

/** The reading of text as an integer would also take a blank, hexadecimal digits and exponents. */
const INTEGER = /^(\d+|-[1-9]\d*)$/;
const notAnInteger = (name: string): ErrorObject => ({
  instancePath: `/${name}`,
  schemaPath: `#/properties/${name}/type`,
  keyword: 'type',
  params: { type: 'integer' },
  message: 'must be integer',
});

function integersIn(schema: unknown): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}

type Validated = { value: unknown } | { error: Error };

const refused = (errors: ErrorObject[] | null | undefined) => ({
  error: Object.assign(new Error('invalid'), { validation: errors }),
});

/** There are some two hundred routes, and most processes serve a few of them: each is compiled when it is first called. */
function whenCalled(compile: () => (data: unknown) => Validated): (data: unknown) => Validated {
  let compiled: ((data: unknown) => Validated) | undefined;
  return (data) => {
    compiled ??= compile();
    return compiled(data);
  };
}

export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  whenCalled(() => {
    if (httpPart !== 'body') {
      const validate = asText().compile(schema);
      const integers = integersIn(schema);
      return (value) => {
        const given = value as Readonly<Record<string, unknown>>;
        const wrong = integers.find(
          (name) => given[name] !== undefined && !INTEGER.test(String(given[name])),
        );
        if (wrong !== undefined) return refused([notAnInteger(wrong)]);
        return validate(value) ? { value } : refused(validate.errors);
      };
    }
    const normalise = compileNormaliser(schema as object);
    const validate = asJson().compile(schema);
    return (body) => {
      // No body is an empty one: what is missing from it is then named.
      const given = body ?? {};
      const value = normalise ? normalise(given) : given;
      return validate(value) ? { value } : refused(validate.errors);
    };
  });

type EntryCheck = (entry: unknown) => { pointer: string; detail: string }[];

const compiled = new WeakMap<object, EntryCheck>();

/**
 * For entries of long documents: the same reading of null and letter case, errors as pointers. Compiling takes a while in
 * which nobody else is served, so it is done once for each schema.
 */
export function compileEntryCheck(schema: object): EntryCheck {
  const check = compiled.get(schema) ?? compileNow(schema);
  compiled.set(schema, check);
  return check;
}

function compileNow(schema: object): EntryCheck {
  const normalise = compileNormaliser(schema);
  const validate = asEntry().compile(schema);
  return (entry) => {
    if (validate(normalise ? normalise(entry) : entry)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = 'is not as expected', params }) => {
      const member = params['missingProperty'] ?? params['additionalProperty'];
      const pointer = typeof member === 'string' ? `${instancePath}/${member}` : instancePath;
      return {
        pointer,
        detail: params['additionalProperty'] === undefined ? message : 'is not a known field',
      };
    });
  };
}

/** What the framework would use by itself. */
const compile = SerializerSelector()({}, {});

/** As validators are: compiled when an answer is first written. It takes most of the time in which a process starts. */
export const compileSerialiser: FastifySerializerCompiler<FastifySchema> = ({
  schema,
  method,
  url,
  httpStatus,
}) => {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => {
    write ??= compile({ schema, method, url, httpStatus: httpStatus ?? '' });
    return write(answer);
  };
};
