import { STATUS_CODES } from './node-http.ts';

/** A request to the demo fleet, and its answer. */
export interface Example {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Content {
  description?: string;
  readonly content?: Readonly<Record<string, { schema?: { readonly properties?: Record<string, object> } }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const FORM = 'application/x-www-form-urlencoded';

function show(content: Content['content'] = {}, example: unknown): void {
  if (example === undefined) return;
  for (const media of Object.values(content)) Object.assign(media, { example });
  const form = content[FORM];
  if (form !== undefined) form.schema = withFieldExamples(form.schema, example as object);
}

/** Adds field examples, because the reference page shows a form field by field. */
function withFieldExamples(schema: object & { properties?: Record<string, object> } = {}, example: object) {
  const shown = Object.entries(example).map(([name, value]) => [
    name,
    { ...schema.properties?.[name], examples: [value] },
  ]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(shown) } };
}

function showIn(operation: Operation, { path, query, body, status, answer }: Example): void {
  for (const parameter of operation.parameters ?? []) {
    const example = { ...path, ...query }[parameter.name];
    if (example !== undefined) Object.assign(parameter, { example });
  }
  if (body !== undefined) operation.requestBody ??= { content: { 'application/json': {} } };
  show(operation.requestBody?.content, body);
  show(operation.responses[status]?.content, answer);
}

/** The description of an answer that has none of its own. */
const UNNAMED = 'Default Response';

/** Adds the examples recorded by `npm run generate` to each operation, and names answers by their status. */
export function addExamples<T extends object>(document: T, recorded: Readonly<Record<string, Example>>): T {
  for (const operations of Object.values((document as unknown as Document).paths))
    for (const operation of Object.values(operations)) {
      for (const [status, answer] of Object.entries(operation.responses))
        if (answer.description === UNNAMED) answer.description = STATUS_CODES[status] ?? status;
      const example = recorded[operation.operationId];
      if (example !== undefined) showIn(operation, example);
    }
  return document;
}
