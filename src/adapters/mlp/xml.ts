import { XMLParser } from 'fast-xml-parser';

/** A parsed element: its children and attributes by name. */
export type Element = Readonly<Record<string, unknown>>;

const NESTED_MAX = 50;

/**
 * Text stays text, entities are not expanded, and elements that may repeat are always lists: no input changes how other
 * input is parsed.
 */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  removeNSPrefix: true,
  alwaysCreateTextNode: true,
  maxNestedTags: NESTED_MAX,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** The input is not a readable document. */
export class BadDocument extends Error {}

/** Removes the document type, which may declare growing entities, or parts to load. */
function withoutDoctype(text: string): string {
  const start = text.indexOf('<!DOCTYPE');
  if (start < 0) return text;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '[') depth++;
    else if (letter === ']') depth--;
    else if (letter === '>' && depth <= 0) return text.slice(0, start) + text.slice(at + 1);
  }
  throw new BadDocument('its document type does not end');
}

export function parseXml(text: string): Element {
  const rest = withoutDoctype(text);
  if (/<!(?:DOCTYPE|ENTITY)/.test(rest)) throw new BadDocument('it declares more than one document type');
  try {
    return parser.parse(rest, true) as Element;
  } catch (error) {
    throw new BadDocument((error as Error).message.slice(0, 200));
  }
}

export function childrenOf(element: Element | undefined, name: string): readonly Element[] {
  if (element === undefined || !Object.hasOwn(element, name)) return [];
  const children = element[name];
  return Array.isArray(children)
    ? children.filter((child): child is Element => typeof child === 'object' && child !== null)
    : [];
}

/** The first element along a path of names. */
export const childOf = (element: Element | undefined, ...names: readonly string[]): Element | undefined =>
  names.reduce<Element | undefined>((parent, name) => childrenOf(parent, name)[0], element);

export function textOf(element: Element | undefined): string | undefined {
  const text = element !== undefined && Object.hasOwn(element, '#text') ? element['#text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

export function attributeOf(element: Element | undefined, name: string): string | undefined {
  const value = element !== undefined && Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter]!);
