import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicRoute } from './access.ts';
import { type SentFile, sendFile, withoutPacked } from './send-file.ts';

/** Pages load from the service, and data and pictures from `origin`, if there is one; never scripts or styles. */
const policyWith = (origin = ''): string => {
  const asked = `'self'${origin && ` ${origin}`}`;
  return (
    `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src ${asked} data:; ` +
    `connect-src ${asked}; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  );
};

/** Nothing from other origins, no inline code, and no frame of another page. */
export const SECURITY_HEADERS = {
  'content-security-policy': policyWith(),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

export interface StaticSite {
  readonly folder: string;
  /** The page itself, with the values known when the service starts. */
  readonly index: string;
  /** Another origin from which the page may load data. */
  readonly origin?: string;
  /** A large file that is served in ranges, under this path. */
  readonly file?: { readonly path: string; readonly at: string };
}

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Undefined if nothing was built. `values` replace their names in the index. */
export function openStaticSite(
  folder: string,
  values: Readonly<Record<string, string>>,
  more: Pick<StaticSite, 'origin' | 'file'> = {},
): StaticSite | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  let index = readFileSync(page, 'utf8');
  for (const [name, value] of Object.entries(values)) index = index.replaceAll(name, escapeAttribute(value));
  return { folder, index, ...more };
}

/** The names of built files contain a hash of their content, so they never change. */
const FOREVER = 'public, max-age=31536000, immutable';

/** A browser that opens an address, not a program that calls one. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
  /\btext\/html\b/.test(headers.accept ?? '');

const ASSETS = 'assets/';
/** Other build output, which is not served. */
const OWN = new Set(['index.html', 'built-from']);

/** Only names that exist when the service starts can be requested. */
function listFiles(folder: string): SentFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
  return withoutPacked(folder, names).filter(({ name }) => !OWN.has(name));
}

/** One route for all files with a hash in their name: a route for each of them would slow every start. */
function serveFiles(scope: FastifyInstance, folder: string): void {
  const [hashed, others] = [new Map<string, SentFile>(), [] as SentFile[]];
  for (const file of listFiles(folder))
    if (file.name.startsWith(ASSETS)) hashed.set(file.name.slice(ASSETS.length), file);
    else others.push(file);
  const send = (cached: string) => (request: FastifyRequest, reply: FastifyReply, file: SentFile) =>
    sendFile(request, reply, file, { ...SECURITY_HEADERS, 'cache-control': cached });
  const [sendForever, sendFresh] = [send(FOREVER), send('no-cache')];
  scope.get<{ Params: { '*': string } }>(`/${ASSETS}*`, async (request, reply) => {
    const file = hashed.get(request.params['*']);
    if (file !== undefined) return sendForever(request, reply, file);
    reply.callNotFound();
    return reply;
  });
  for (const file of others)
    scope.get(`/${file.name}`, async (request, reply) => sendFresh(request, reply, file));
}

/** Browsers request the parts that they need; the file may be replaced while the service runs. */
function serveFile(scope: FastifyInstance, { path, at }: NonNullable<StaticSite['file']>): void {
  const file: SentFile = { folder: dirname(at), name: basename(at), packed: [] };
  const headers = { ...SECURITY_HEADERS, 'cache-control': 'no-cache' };
  scope.get(path, async (request, reply) => sendFile(request, reply, file, headers));
}

/**
 * Serves the files, and the page itself at `/`. Returns the handler for paths without a route: the page has addresses that
 * only it knows. Calls below `elsewhere` keep their 404.
 */
export async function serveStaticSite(
  app: FastifyInstance,
  { folder, index, origin, file }: StaticSite,
  elsewhere: readonly string[],
  refuseForeignHost: (request: FastifyRequest) => void,
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined> {
  const guards = { ...SECURITY_HEADERS, 'content-security-policy': policyWith(origin) };
  const sendIndex = (reply: FastifyReply) =>
    reply
      .headers({ ...guards, 'cache-control': 'no-cache' })
      .type('text/html')
      .send(index);
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: publicRoute };
      route.schema = { hide: true } as object;
    });
    scope.addHook('onRequest', (request, _reply, done) => {
      refuseForeignHost(request);
      done();
    });
    scope.get('/', async (_request, reply) => sendIndex(reply));
    if (file !== undefined) serveFile(scope, file);
    serveFiles(scope, folder);
  });
  return (request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    const isElsewhere = elsewhere.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    if (!isNavigation(request) || isElsewhere) return undefined;
    refuseForeignHost(request);
    return sendIndex(reply);
  };
}
