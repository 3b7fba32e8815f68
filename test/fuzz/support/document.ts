import { readFileSync } from 'node:fs';

/** The part of JSON Schema that the API description uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly in: 'path' | 'query' | 'header';
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly body: Schema | undefined;
  readonly isForm: boolean;
  /** The credentials that it accepts, by the names of the security schemes. */
  readonly credentials: readonly string[];
  readonly responses: Readonly<Record<string, Content>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: Operation['parameters'];
  readonly requestBody?: Content;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Operation['responses'];
}

export const FORM = 'application/x-www-form-urlencoded';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

export const operationsOf = ({ paths }: Document): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: Object.values(described.requestBody?.content ?? {})[0]?.schema,
      isForm: FORM in (described.requestBody?.content ?? {}),
      credentials: (described.security ?? []).flatMap((scheme) => Object.keys(scheme)),
      responses: described.responses,
    })),
  );

/** Every operation of the committed document. */
export const operations = operationsOf(JSON.parse(readFileSync('openapi.json', 'utf8')) as Document);

/** The trigger routes also have a second address, which the document does not repeat. */
export const aliases: readonly Operation[] = operations
  .filter(({ path }) => path.startsWith('/m2m/v2/triggers'))
  .map((operation) => ({ ...operation, path: operation.path.replace('/m2m', '') }));

/** The documented response with this status; undefined if there is none. */
export const describedAnswer = ({ responses }: Operation, status: number): Content | undefined =>
  responses[String(status)] ?? responses[`${String(status)[0]}XX`];
