import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicRoute } from './access.ts';

/** Nothing is asked of anybody but the service and `origin`, if there is one: data and pictures, never scripts or styles. */
const policyWith = (origin = ''): string => {
  const asked = `'self'${origin && ` ${origin}`}`;
  return (
    `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src ${asked} data:; ` +
    `connect-src ${asked}; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  );
};

/** Nothing from elsewhere, nothing written into the page itself, and in no other page's frame. */
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
  /** The page itself, with the values that are known only when the service starts. */
  readonly index: string;
  /** One other origin that the page may ask for data. */
  readonly origin?: string;
  /** A large file that is served in parts, under this path. */
  readonly file?: { readonly path: string; readonly at: string };
}

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Undefined where nothing was built. `values` replace their names in the index. */
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

/** Built files have the hash of their content in their name: what was fetched once never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

/** A person's browser that goes to an address, not a program that calls one. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
  /\btext\/html\b/.test(headers.accept ?? '');

/** Browsers ask for the parts that they need; it may be replaced while the service runs. */
async function serveFile(app: FastifyInstance, { path, at }: NonNullable<StaticSite['file']>): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: dirname(at), serve: false, cacheControl: false });
    scope.get(path, (_request, reply) =>
      reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-cache' }).sendFile(basename(at)),
    );
  });
}

/**
 * Serves the files, and the page itself at `/`. Returns the handler for paths that no route has: the page has addresses
 * of its own, which only it knows. Calls below `elsewhere` keep their 404.
 */
export async function serveStaticSite(
  app: FastifyInstance,
  { folder, index, origin, file }: StaticSite,
  elsewhere: readonly string[],
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
    scope.get('/', async (_request, reply) => sendIndex(reply));
    if (file !== undefined) await serveFile(scope, file);
    await scope.register(fastifyStatic, {
      root: folder,
      // Only names that are there when the service starts lead anywhere.
      wildcard: false,
      index: false,
      globIgnore: ['index.html', '**/*.{br,gz}', 'built-from'],
      preCompressed: true,
      cacheControl: false,
      decorateReply: false,
      setHeaders: (reply, path) => {
        const isHashed = path.startsWith(join(folder, 'assets'));
        reply.headers({ ...SECURITY_HEADERS, 'cache-control': isHashed ? FOREVER : 'no-cache' });
      },
    });
  });
  return (request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    const isElsewhere = elsewhere.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    return isNavigation(request) && !isElsewhere ? sendIndex(reply) : undefined;
  };
}
