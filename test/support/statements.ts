import { readdirSync, readFileSync } from 'node:fs';

export interface Statement {
  readonly file: string;
  /** The function or constant that contains it. */
  readonly name: string;
  /** Parameters are $; fragments are spliced in, with all alternatives. */
  readonly text: string;
  /** Without fragments from elsewhere. */
  readonly own: string;
}

interface Template {
  readonly file: string;
  readonly name: string;
  /** The constant inside a function to which it is assigned. */
  readonly local: string | undefined;
  readonly parts: readonly (string | { readonly expression: string; readonly nested: readonly Template[] })[];
}

const DEFINITION = /^(?:export )?(?:const|(?:async )?function\*?) (\w+)/gm;

/** The index after the closing quote, from the index after the opening one. */
function skipString(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === quote) return at + 1;
    else if (quote === '`' && source.startsWith('${', at)) at = skipExpression(source, at + 2) - 1;
  }
  throw new Error('a string without an end');
}

/** The index after the matching `}`, from the index after `${`. */
function skipExpression(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const char = source[at]!;
    if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if (char === "'" || char === '"' || char === '`') at = skipString(source, at + 1, char) - 1;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  throw new Error('an expression without an end');
}

/** The sql templates of a piece of source. Nested ones are parts of the outer ones. */
function readTemplates(source: string, file: string, nameAt: (at: number) => string): Template[] {
  const templates: Template[] = [];
  let at = 0;
  for (;;) {
    const found = source.indexOf('sql`', at);
    if (found < 0) return templates;
    const end = skipString(source, found + 4, '`');
    const name = nameAt(found);
    const parts: Template['parts'][number][] = [];
    let text = '';
    for (let i = found + 4; i < end - 1; i++) {
      if (!source.startsWith('${', i)) {
        text += source[i];
        continue;
      }
      const behind = skipExpression(source, i + 2);
      const expression = source.slice(i + 2, behind - 1);
      parts.push(text, { expression, nested: readTemplates(expression, file, () => name) });
      text = '';
      i = behind - 1;
    }
    const local = /const (\w+) =\s*(?:\([^;]*\) =>\s*)?$/.exec(
      source.slice(Math.max(0, found - 200), found),
    )?.[1];
    templates.push({ file, name, local, parts: [...parts, text] });
    at = end;
  }
}

function readFile(file: string): Template[] {
  const source = readFileSync(file, 'utf8');
  const definitions = [...source.matchAll(DEFINITION)];
  const nameAt = (at: number) => definitions.findLast(({ index }) => index <= at)?.[1] ?? '';
  return readTemplates(source, file, nameAt);
}

/** Every SQL statement and fragment in the product, from its source. */
export function readStatements(): Statement[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/test/'))
    .map((file) => `src/${file}`);
  const templates = files.flatMap(readFile);
  const byName = Map.groupBy(templates, ({ name }) => name);
  /** A fragment from elsewhere: a function or a constant, first of the same file. */
  const named = (expression: string, { file, name: within }: Template): readonly Template[] => {
    const name = /^\s*(?:\w+\.)?(\w+)\s*(?:\(|$)/.exec(expression)?.[1] ?? '';
    const here = templates.filter(
      (each) => each.file === file && each.name === within && each.local === name && name !== within,
    );
    if (here.length > 0) return here;
    const all = byName.get(name) ?? [];
    const own = all.filter((template) => template.file === file);
    return own.length > 0 ? own : all;
  };
  const flatten = (template: Template, within: readonly Template[]): string =>
    template.parts
      .map((part) => {
        if (typeof part === 'string') return part;
        if (part.nested.length > 0) return part.nested.map((each) => flatten(each, within)).join(' ');
        const fragments = named(part.expression, template).filter((each) => !within.includes(each));
        if (fragments.length === 0) return '$';
        return fragments.map((each) => flatten(each, [...within, each])).join(' ');
      })
      .join('');
  const tidy = (text: string) =>
    text
      .replaceAll(/--[^\n]*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return templates.map((template) => ({
    file: template.file,
    name: template.name,
    text: tidy(flatten(template, [template])),
    own: tidy(template.parts.map((part) => (typeof part === 'string' ? part : '$')).join('')),
  }));
}
