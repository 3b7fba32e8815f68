import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  ELEMENT_KINDS,
  type ElementSettings,
  type FeedSettings,
  type GivenFeeds,
  NetworkFile,
  type NetworkSettings,
  POSITION_KINDS,
  type PositionSettings,
} from './network-schema.ts';

const BYTES_MAX = 16 * 1024 * 1024;
/** First parts of operator API paths where the name of an element would stand. */
const RESERVED = ['simulation', 'check', 'differences', 'orders'];

/** The secret that signs orders and questions, in the form of Standard Webhooks. */
const WEBHOOK_SECRET = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** An error in the file; the message completes a sentence. */
class Wrong extends Error {}

function readText(path: string, what: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > BYTES_MAX) throw new Wrong(`${what} is larger than 16 MiB`);
    return text;
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong(`${what} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no reason given'})`);
  }
}

function readJson(path: string): unknown {
  const text = readText(path, 'the file');
  try {
    return JSON.parse(text);
  } catch {
    throw new Wrong('the file is not valid JSON');
  }
}

/** The part of a schema at a JSON pointer. */
function partOf(schema: TSchema, pointer: string): { readonly expected?: string; readonly type?: string } {
  let part: unknown = schema;
  for (const step of pointer.split('/').slice(1)) {
    const { properties, items } = part as { properties?: Record<string, unknown>; items?: unknown };
    part = properties?.[step] ?? items ?? {};
  }
  return part as { expected?: string; type?: string };
}

const EXPECTED_TYPES: Readonly<Record<string, string>> = { object: 'an object', array: 'a list' };

/** Throws the first error in a value. `where` names the value in the message. */
function refuseWrong(schema: TSchema, value: unknown, where: string): void {
  const [error] = Value.Errors(schema, value);
  if (error === undefined) return;
  const called = (pointer: string) => `${where}${pointer}`.replace(/^\//, '') || 'the file';
  const at = called(error.instancePath);
  const { requiredProperties: missing } = error.params as { requiredProperties?: string[] };
  if (missing !== undefined) throw new Wrong(`${at} has no ${missing.join(', ')}`);
  // The schema of an unknown key is `false`.
  if (error.keyword === 'boolean') {
    const end = error.instancePath.lastIndexOf('/');
    const key = error.instancePath.slice(end + 1);
    throw new Wrong(`${called(error.instancePath.slice(0, end))} has an unknown key: ${key}`);
  }
  const { expected, type } = partOf(schema, error.instancePath);
  throw new Wrong(`${at} must be ${expected ?? EXPECTED_TYPES[type ?? ''] ?? 'of another type'}`);
}

/** Reads the secret from its file, if it is in one. */
function withSecret<T extends object>(
  given: T,
  key: 'secret' | 'password',
  { where, folder, isNeeded = false }: { where: string; folder: string; isNeeded?: boolean },
): T {
  const { [key]: secret, [`${key}File`]: file, ...rest } = given as Record<string, unknown>;
  if (secret !== undefined && file !== undefined) throw new Wrong(`${where} has both ${key} and ${key}File`);
  if (typeof file !== 'string') {
    if (secret === undefined && isNeeded) throw new Wrong(`${where} has neither ${key} nor ${key}File`);
    return given;
  }
  const read = readText(resolve(folder, file), `the ${key}File of ${where}`).replace(/\r?\n$/, '');
  if (read === '') throw new Wrong(`the ${key}File of ${where} is empty`);
  return { ...rest, [key]: read } as T;
}

function checkAddress({ address }: Pick<Listed, 'address'>, where: string): void {
  const port = Number(address?.slice(address.lastIndexOf(':') + 1) ?? 1);
  if (port < 1 || port > 65_535) throw new Wrong(`the address of ${where} has no port from 1 to 65535`);
}

function checkUrl({ url }: Pick<Listed, 'url'>, where: string): void {
  if (url !== undefined && !URL.canParse(url)) throw new Wrong(`the url of ${where} is not a valid address`);
}

interface Listed {
  readonly name: string;
  readonly kind: string;
  readonly address?: string;
  readonly url?: string;
}

/** Checks each entry by the schema of its kind, adds its secret, and refuses duplicate names. */
function checkAll<T extends Listed>(
  listed: readonly Listed[],
  kinds: Readonly<Record<string, TSchema>>,
  { what, folder }: { readonly what: string; readonly folder: string },
): readonly T[] {
  const seen = new Set<string>();
  return listed.map((given) => {
    const where = `${what} ${given.name}`;
    if (RESERVED.includes(given.name)) throw new Wrong(`${where} has a name that is reserved`);
    if (seen.has(given.name)) throw new Wrong(`${where} is listed twice`);
    seen.add(given.name);
    const schema = Object.hasOwn(kinds, given.kind) ? kinds[given.kind] : undefined;
    if (schema === undefined)
      throw new Wrong(
        `${where} has the unknown kind ${given.kind}; known are ${Object.keys(kinds).join(', ')}`,
      );
    refuseWrong(schema, given, where);
    checkAddress(given, where);
    checkUrl(given, where);
    const isNeeded = ['http', 'radius'].includes(given.kind);
    const complete: Listed & { readonly secret?: string } = withSecret(
      withSecret(given, 'secret', { where, folder, isNeeded }),
      'password',
      {
        where,
        folder,
      },
    );
    if (given.kind === 'http' && !WEBHOOK_SECRET.test(complete.secret ?? ''))
      throw new Wrong(`the secret of ${where} must be whsec_ and base64`);
    return complete as Listed as T;
  });
}

/** The first and last IMSI of a range; both have the same length. */
export function parseImsiRange(range: string): { readonly from: string; readonly to: string } {
  const [from = '', to = from] = range.split('-');
  return { from, to };
}

/** With two elements of one kind for a line, each would undo the other's work, or the wrong one would be asked. */
function refuseOverlaps(elements: readonly ElementSettings[]): void {
  const ranges = elements.flatMap(({ name, kind, imsi = [] }) =>
    imsi.map((text) => ({ name, kind, text, ...parseImsiRange(text) })),
  );
  for (const { name, text, from, to } of ranges)
    if (from.length !== to.length || from > to)
      throw new Wrong(
        `the imsi range ${text} of element ${name} does not go from a lower to a higher IMSI of the same length`,
      );
  const byKind = Map.groupBy(ranges, ({ kind, from }) => `${kind} ${from.length}`);
  for (const some of byKind.values()) {
    const sorted = some.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
    let widest = sorted[0];
    for (const range of sorted.slice(1)) {
      if (widest !== undefined && range.from <= widest.to && range.name !== widest.name)
        throw new Wrong(
          `the imsi ranges ${widest.text} of element ${widest.name} and ${range.text} of element ${range.name} overlap`,
        );
      if (widest === undefined || range.to > widest.to) widest = range;
    }
  }
}

/**
 * A register without ranges serves all lines, so that it shares those of every other one. Systems of other kinds may
 * share lines.
 */
function refuseSharedRegisters(elements: readonly ElementSettings[]): void {
  const registers = elements.filter(({ kind }) => kind === 'osmo-hlr');
  for (const [place, one] of registers.entries()) {
    const accounts = new Set(one.accounts);
    for (const other of registers.slice(place + 1)) {
      if (one.imsi !== undefined && other.imsi !== undefined) continue;
      const areApart =
        one.accounts !== undefined &&
        other.accounts !== undefined &&
        !other.accounts.some((account) => accounts.has(account));
      if (!areApart)
        throw new Wrong(
          `the elements ${one.name} and ${other.name} would both serve some lines: give each its own imsi ranges, or its own accounts`,
        );
    }
  }
}

/** The first folder without a name is `files`, the next `files-2`. */
const nameOfFiles = (place: number): string => (place === 0 ? 'files' : `files-${place + 1}`);

/** Feeds that an operator pauses by name need unique names. */
function refuseSharedNames(names: readonly string[], taken: readonly Listed[]): void {
  for (const [place, name] of names.entries()) {
    if (RESERVED.includes(name)) throw new Wrong(`feed ${name} has a name that is reserved`);
    if (names.indexOf(name) !== place || taken.some((element) => element.name === name))
      throw new Wrong(`feed ${name} has a name that is already in use`);
  }
}

/** With two feeds on one folder, the mapping used for a file would be arbitrary. */
function refuseSharedFolders(files: FeedSettings['files']): void {
  for (const [place, { name, folder }] of files.entries()) {
    const other = files.slice(0, place).find((each) => each.folder === folder);
    if (other !== undefined) throw new Wrong(`the feeds ${other.name} and ${name} have the same folder`);
  }
}

function parseFeeds(
  { radius, files = [] }: GivenFeeds,
  folder: string,
  elements: readonly Listed[],
): FeedSettings {
  const named = files.map((each, place) => ({
    name: each.name ?? nameOfFiles(place),
    folder: resolve(folder, each.folder),
    mapping: resolve(folder, each.mapping),
    ...(each.source !== undefined && { source: each.source }),
  }));
  refuseSharedNames(
    [...(radius === undefined ? [] : ['radius']), ...named.map(({ name }) => name)],
    elements,
  );
  refuseSharedFolders(named);
  if (radius === undefined) return { files: named };
  checkAddress({ address: radius.listen }, 'feed radius');
  const clients = radius.clients.map((client) => {
    const where = `feed radius client ${client.address}`;
    const complete = withSecret(client, 'secret', { where, folder, isNeeded: true });
    const { address, secret = '', swapDirections = false } = complete;
    return { address, secret, swapDirections };
  });
  return { radius: { name: 'radius', listen: radius.listen, clients }, files: named };
}

/** The network that the file describes, or its error as one sentence. */
export function readNetworkFile(
  path: string,
): { readonly network: NetworkSettings } | { readonly problem: string } {
  try {
    const file = readJson(path);
    refuseWrong(NetworkFile, file, '');
    const given = Value.Parse(NetworkFile, file);
    const folder = dirname(resolve(path));
    const { elements: listed = [], positions: sources = [] } = file as {
      elements?: readonly Listed[];
      positions?: readonly Listed[];
    };
    const elements = checkAll<ElementSettings>(listed, ELEMENT_KINDS, { what: 'element', folder });
    refuseOverlaps(elements);
    refuseSharedRegisters(elements);
    const positions = checkAll<PositionSettings>(sources, POSITION_KINDS, {
      what: 'position source',
      folder,
    });
    return { network: { elements, positions, feeds: parseFeeds(given.feeds ?? {}, folder, elements) } };
  } catch (error) {
    if (error instanceof Wrong) return { problem: `LINEKEEPER_NETWORK (${path}): ${error.message}.` };
    throw error;
  }
}
