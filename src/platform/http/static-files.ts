import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicRoute } from './access.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing written into the page itself, and in no other page's frame. */
export const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>;
}

/** The files of a built page, in memory: a name that is not in the table leads nowhere, whatever is in it. */
export interface StaticSite {
  readonly index: StaticFile;
  readonly files: ReadonlyMap<string, StaticFile>;
}

function readFile(path: string): StaticFile {
  const packed = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : undefined);
  const [br, gzip] = [packed('.br'), packed('.gz')];
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    plain: readFileSync(path),
    packed: { ...(br && { br }), ...(gzip && { gzip }) },
  };
}

/** Undefined where nothing was built. `values` replace their names in the index, such as a path known only at the start. */
export function readStaticSite(
  folder: string,
  values: Readonly<Record<string, string>>,
): StaticSite | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .map((name) => name.replace(/^\/?/, '/'));
  let html = readFileSync(page, 'utf8');
  for (const [name, value] of Object.entries(values)) html = html.replaceAll(name, value);
  const files = new Map(
    names.filter((name) => name !== '/index.html').map((name) => [name, readFile(join(folder, name))]),
  );
  return { index: { type: TYPES['.html']!, plain: Buffer.from(html), packed: {} }, files };
}

/** Built files have the hash of their content in their name: what was fetched once never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
const HASHED = /^\/assets\//;

function send(request: FastifyRequest, reply: FastifyReply, file: StaticFile, cacheControl: string) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find(
    (name) =>
      file.packed[name] !== undefined &&
      new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\b)`).test(accepted),
  );
  reply.headers({ ...SECURITY_HEADERS, 'cache-control': cacheControl, vary: 'accept-encoding' });
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(encoding === undefined ? file.plain : file.packed[encoding]);
}

/** A person's browser that goes to an address, not a program that calls one. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
  /\btext\/html\b/.test(headers.accept ?? '');

/**
 * Serves the files, and the page itself at `/`. Answers who takes care of paths that nothing else does: the page has
 * addresses of its own, which only it can read. Calls to `elsewhere` keep their 404.
 */
export function serveStaticSite(
  app: FastifyInstance,
  { index, files }: StaticSite,
  elsewhere: readonly string[],
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined {
  const options = { config: { access: publicRoute }, schema: { hide: true } as object };
  const sendIndex = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, index, 'no-cache');
  app.get('/', options, async (request, reply) => sendIndex(request, reply));
  for (const [name, file] of files) {
    const cacheControl = HASHED.test(name) ? FOREVER : 'no-cache';
    app.get(name, options, async (request, reply) => send(request, reply, file, cacheControl));
  }
  return (request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    const isElsewhere = elsewhere.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    return isNavigation(request) && !isElsewhere ? sendIndex(request, reply) : undefined;
  };
}
