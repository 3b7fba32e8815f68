import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  FastifyServerOptions,
} from 'fastify';
import { compileNormaliser } from './normalise.ts';

/** Schemas are our own and typed, so they need no validation themselves, and the schema of schemas is not loaded. */
const options = {
  ...{ useDefaults: true, removeAdditional: false, allErrors: false, strict: false },
  ...{ validateSchema: false, meta: false },
} as const;
/** Shorter code takes as long to make as the code itself, and is no faster for one request. */
const asWritten = { code: { optimize: false } };
/** Created when the first schema is compiled, because a start needs no validator. */
function later(more: Options): () => Ajv {
  let made: Ajv | undefined;
  return () => {
    made ??= new Ajv({ ...options, ...more });
    return made;
  };
}
/** Paths and query strings arrive as text and are converted to the types of the schema. */
const asText = later({ coerceTypes: 'array', ...asWritten });
/** A JSON body already has types; see normalise.ts for the few exceptions. */
const asJson = later({ coerceTypes: false, ...asWritten });
/** For an entry of a long document, all errors are reported at once. */
const asEntry = later({ allErrors: true });

/** The usual conversion of text to an integer would also accept a blank, hexadecimal digits and exponents. */
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

/** There are about two hundred routes, and most processes serve few of them: each is compiled at its first call. */
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
      // A missing body counts as an empty one, so that the error names the missing member.
      const given = body ?? {};
      const value = normalise ? normalise(given) : given;
      return validate(value) ? { value } : refused(validate.errors);
    };
  });

type EntryCheck = (entry: unknown) => { pointer: string; detail: string }[];

const compiled = new WeakMap<object, EntryCheck>();

/**
 * For entries of long documents: the same handling of null and letter case, errors as pointers. Compiling blocks all other
 * requests for a while, so it is done once for each schema.
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

/** The framework's default. */
const compile = SerializerSelector()({}, {});

/** Compiled when an answer is first written, like validators. It would take most of the start time of a process. */
const compileSerialiser: FastifySerializerCompiler<FastifySchema> = ({ schema, method, url, httpStatus }) => {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => {
    write ??= compile({ schema, method, url, httpStatus: httpStatus ?? '' });
    return write(answer);
  };
};

/** Given to Fastify when it is created, because it would otherwise load compilers of its own. */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => compileSerialiser },
  // Its types expect factories for the shared schemas of a server; ours has none.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
