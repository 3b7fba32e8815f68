import { type FaultKind, refuse } from '../../../../platform/context/fault.ts';
import { nestsTooDeep } from '../../../../platform/http/json-body.ts';
import { parseExactly } from '../../../../platform/json/exact-json.ts';
import { isStorableJson } from '../../../../platform/json/storable-text.ts';

type Document = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

function parsed(text: string): unknown {
  try {
    return nestsTooDeep(text) ? undefined : parseExactly(text);
  } catch {
    return undefined;
  }
}

/** A JSON object that came as text, as strictly as a body is read. */
export function readDocument(text: string, field: string, invalid: FaultKind): Document {
  const document = parsed(text);
  return isObject(document) && isStorableJson(text, document)
    ? document
    : refuse(invalid, { reason: `${field} must be a JSON object` });
}
