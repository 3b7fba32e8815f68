import { readFileSync } from 'node:fs';
import { literally } from '../conformance/row.ts';

const STRING = /`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const plain = (text: string) =>
  text
    .trim()
    .replace(/^[`'"]|[`'"]$/g, '')
    .replaceAll(/\\(.)/g, '$1');

/** Texts of a file that can be names of tests, whole or put together. */
export const textsOf = (file: string): readonly string[] =>
  (readFileSync(file, 'utf8').match(STRING) ?? []).map(plain);

/** The names that a text with `${…}` in it can become, and what is put into it for one. */
export const asPattern = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/\$\{[^}]*\}/)
      .map(literally)
      .join('(.+)')}$`,
    's',
  );
