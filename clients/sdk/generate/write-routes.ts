import { comment, indent, nameOf, type Schema, union, writeType } from './write-type.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const HEAD = `// Built from openapi.json by npm install, npm run types and npm run generate; it is not committed.

/** Every call of the service with its input and its successful answer. */
export interface Routes {
`;

const firstSchema = ({ content = {} }: Content): Schema | undefined => Object.values(content)[0]?.schema;

/** Path or query parameters as one object; undefined if there are none. */
function writeParameters({ parameters = [] }: Operation, where: 'path' | 'query'): string | undefined {
  const found = parameters.filter((parameter) => parameter.in === where);
  if (found.length === 0) return undefined;
  const described = found.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  const required = found.filter((parameter) => parameter.required).map(({ name }) => name);
  return writeType({ type: 'object', properties: Object.fromEntries(described), required }, 'sent');
}

function writeOperation(operation: Operation): string {
  const { requestBody, responses, parameters = [] } = operation;
  const body = requestBody && firstSchema(requestBody);
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => firstSchema(response))
    .map((schema) => (schema === undefined ? 'unknown' : writeType(schema, 'answered')));
  const queryNeeded = parameters.some((parameter) => parameter.in === 'query' && parameter.required);
  const members: readonly (readonly [name: string, type: string | undefined])[] = [
    ['path', writeParameters(operation, 'path')],
    [`query${queryNeeded ? '' : '?'}`, writeParameters(operation, 'query')],
    [`body${requestBody?.required ? '' : '?'}`, body && writeType(body, 'sent')],
    ['answer', answers.length === 0 ? 'unknown' : union(answers)],
  ];
  const known = members.flatMap(([name, type]) => (type === undefined ? [] : [`${name}: ${type};`]));
  return `{\n  ${indent(known.join('\n'))}\n}`;
}

/** Writes the document's calls as one TypeScript interface, in its order. */
export function writeRoutes({ paths }: OpenApiDocument): string {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const name = nameOf(`${method.toUpperCase()} ${path}`);
      return `${comment(operation.summary)}${name}: ${writeOperation(operation)};\n`;
    }),
  );
  return `${HEAD}  ${indent(routes.join('').trimEnd())}\n}\n`;
}
