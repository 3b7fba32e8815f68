import { placeholderOf } from '../values.ts';
import type { LoggedCall } from './logged-call.ts';

/** A step whose answer later ones may name. */
export interface Saving {
  save?: string;
}
interface Given {
  readonly step: Saving;
  readonly path: string;
  readonly call: LoggedCall;
}

/** Generated ids contain digits; times and words such as states need no capture. */
const MADE_UP = /^(?!\d{4}-\d\d-\d\dT)(?=.*\d)[\w-]{8,128}$/;
const MEMBER = /^\w+$/;

/** The strings in an answer with their paths. */
function* textsIn(value: unknown, path: readonly string[] = []): Generator<readonly [string, string]> {
  if (typeof value === 'string' && path.length > 0) yield [value, path.join('.')];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (MEMBER.test(name)) yield* textsIn(member, [...path, name]);
}

export type Captures = ReturnType<typeof createCaptures>;

/**
 * Values that a later step takes from an answer. They differ in each run, so the step refers to their source.
 * Values known before the answer, such as a device's number, stay unchanged.
 */
export function createCaptures(fleet: object) {
  const given = new Map<string, Given>();
  const known = [JSON.stringify(fleet)];
  let saved = 0;

  const nameOf = ({ step, call: { operation } }: Given): string => {
    step.save ??= `${(operation ?? 'answer').slice(0, 30)}${++saved}`;
    return step.save;
  };

  /** A string with captured values replaced by their names. */
  const carry = (text: string): string => {
    const found = given.get(text);
    return found === undefined ? text : placeholderOf(`${nameOf(found)}.${found.path}`);
  };

  const carryAll = (value: unknown): unknown => {
    if (typeof value === 'string') return carry(value);
    if (Array.isArray(value)) return value.map(carryAll);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, carryAll(member)]));
  };

  return {
    carry: carryAll,
    /** A path, with each segment replaced separately. */
    carryPath: (path: string): string => path.split('/').map(carry).join('/'),
    /** Whether a step names it. */
    isCarried: (text: string): boolean => given.has(text),
    learn(step: Saving, call: LoggedCall): void {
      known.push(call.path, JSON.stringify(call.request ?? null));
      if (call.status === null || call.status >= 400) return;
      for (const [text, path] of textsIn(call.answer))
        if (MADE_UP.test(text) && !given.has(text) && !known.some((one) => one.includes(text)))
          given.set(text, { step, path, call });
    },
  };
}
