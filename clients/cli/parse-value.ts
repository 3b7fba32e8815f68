import { InvalidArgumentError } from 'commander';

type Parse<T> = (text: string) => T;

/** Names the expected value with an example. Commander puts the wrong value and its argument in front. */
const refuse = (expected: string): never => {
  throw new InvalidArgumentError(`It must be ${expected}.`);
};

export const matching =
  (pattern: RegExp, expected: string): Parse<string> =>
  (text) =>
    pattern.test(text) ? text : refuse(expected);

export const numberWithin =
  (from: number, to: number, example: number): Parse<number> =>
  (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= from && value <= to
      ? value
      : refuse(`a whole number from ${from} to ${to} such as ${example}`);
  };

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
export const dateTime: Parse<string> = (text) =>
  DATE.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : refuse('an ISO 8601 day or a time with its zone, such as 2026-12-01 or 2026-12-01T08:00:00Z');

export const duration = matching(
  /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/i,
  'an ISO 8601 duration such as P1M (a month), P1D or PT5M (five minutes)',
);

export const month = matching(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'a month such as 2026-01');

export const uuid = (example: string): Parse<string> =>
  matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, `an id such as ${example}`);
