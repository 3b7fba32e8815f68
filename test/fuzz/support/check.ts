import { Ajv, type ValidateFunction } from 'ajv';
import { faultCatalogue } from '../../../src/app/fault-catalogue.ts';
import type { Example } from '../../../src/platform/http/examples.ts';
import { describedAnswer, type Operation } from './document.ts';
import { MARKER } from './fleet.ts';
import type { Answer } from './wire.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addFormat('uuid', UUID);
ajv.addFormat('date', (text: string) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)));
ajv.addFormat('date-time', (text: string) => /T/.test(text) && !Number.isNaN(Date.parse(text)));

const compiled = new Map<object, ValidateFunction>();
function problemsOf(schema: object, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

const refusals = Object.values(faultCatalogue).flatMap((rows) => Object.values(rows));

/** The code and the message of a refusal in the format of its area. */
function refusalIn(body: Record<string, unknown>): { code: unknown; message: unknown } {
  const fault = body['fault'] as Record<string, unknown> | undefined;
  if (fault !== undefined) return { code: fault['code'], message: fault['message'] };
  const code = body['errorCode'] ?? body['error'] ?? body['code'];
  return { code, message: body['errorMessage'] ?? body['error_description'] ?? body['title'] };
}

/** Changes of the exclusion list answer the rows of the area under a code of their own. */
const isCatalogued = (status: number, body: Record<string, unknown>): boolean => {
  const { code, message } = refusalIn(body);
  return refusals.some(
    (row) =>
      row.status === status &&
      (row.code === code || (row.code === 'INVALID_PARAMETER' && code === 'PARAMETER_ERROR')) &&
      String(message).startsWith(row.message.replace(/\.$/, '')),
  );
};

function parse(body: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** The interface's response when the sandbox's position source is set to fail. */
const ASKED_FOR = /Failed to get location/;

function problemsOfBody(operation: Operation, { status, headers, body }: Answer): string[] {
  const described = describedAnswer(operation, status);
  if (described === undefined) return [`status ${status} is not documented`];
  if (described.content === undefined) return body === '' ? [] : ['has a body that is not documented'];
  const type = String(headers['content-type']).split(';')[0]!;
  const schema = described.content[type]?.schema;
  if (schema === undefined) return [`content type ${type} is not documented for ${status}`];
  if (type === 'text/event-stream') return [];
  const parsed = parse(body);
  if (parsed === undefined) return ['is not JSON'];
  const wrong = problemsOf(schema, parsed.value);
  return wrong === undefined ? [] : [`does not fit its schema: ${wrong}`];
}

/** Everything that is wrong with a response, for any caller. */
export function problemsOfAnswer(operation: Operation, answer: Answer): string[] {
  const { status, headers, body } = answer;
  const value = parse(body)?.value;
  const isRefusal = status >= 400 && typeof value === 'object' && value !== null;
  return [
    ...(status >= 500 && !ASKED_FOR.test(body) ? [`failed with ${status}`] : []),
    ...problemsOfBody(operation, answer),
    ...(isRefusal && !isCatalogued(status, value as Record<string, unknown>)
      ? ['is no refusal of the catalogue']
      : []),
    ...(headers['x-request-id'] === undefined ? ['has no X-Request-Id'] : []),
  ];
}

/** Differences between an example for readers and the API document. */
export function problemsOfExample(operation: Operation, example: Example): string[] {
  const { path, query, body, status, answer } = example;
  const given: Readonly<Record<string, unknown>> = { ...path, ...query };
  const described = Object.values(describedAnswer(operation, status)?.content ?? {})[0];
  const checked: readonly (readonly [string, object | undefined, unknown])[] = [
    ...operation.parameters.map(({ name, schema }) => [name, schema, given[name]] as const),
    ['body', operation.body, body],
    ['answer', described?.schema, answer],
  ];
  return checked.flatMap(([place, schema, value]) => {
    if (schema === undefined || value === undefined) return [];
    const wrong = problemsOf(schema, value);
    return wrong === undefined ? [] : [`has a wrong ${place}: ${wrong}`];
  });
}

/** Problems for callers without rights to the first customer's data. */
export const problemsOfSecrecy = ({ headers, body }: Answer): string[] =>
  body.includes(MARKER) || JSON.stringify(headers).includes(MARKER) ? ['shows data of another customer'] : [];
