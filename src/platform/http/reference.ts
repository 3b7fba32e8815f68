import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify';
import { publicRoute } from './access.ts';
import { type Description, openApiOf } from './openapi.ts';
import { asOpenApi30 } from './openapi-30.ts';
import { schemaController } from './schema-compilers.ts';
import { SECURITY_HEADERS } from './static-files.ts';

const PAGES = '/docs';
/** Headers of the written answer, which are not copied from the inner one. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** An application that only serves the reference of these routes. */
async function describe(routes: readonly RouteOptions[], description: Description): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: pages }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const app = Fastify({ exposeHeadRoutes: false, schemaController }) as unknown as FastifyInstance;
  await app.register(swagger, openApiOf(description));
  const shown = routes.filter(({ schema }) => schema?.hide !== true);
  for (const route of shown) app.route({ ...route, handler: async () => undefined });
  await app.register(pages, {
    routePrefix: PAGES,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true },
    transformSpecification: asOpenApi30,
    theme: { title: 'Linekeeper API reference', favicon: [] },
  });
  await app.ready();
  return app;
}

/**
 * Serves the document and the reference pages. Few processes are asked for them, so the code is loaded and the pages are made
 * at the first request. Call it before the described routes are added.
 */
export function serveReference(app: FastifyInstance, description: Description): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  let made: Promise<FastifyInstance> | undefined;
  const reference = () => {
    made ??= describe(routes, description).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  app.addHook('onClose', async () => (await made?.catch(() => undefined))?.close());

  const options = { config: { access: publicRoute }, schema: { hide: true } as object };
  app.get(`${description.basePath}/openapi.json`, options, async () => (await reference()).swagger());
  const answer = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    const found = await (await reference()).inject({ url, headers });
    if (found.statusCode === 404) return reply.callNotFound();
    for (const [name, value] of Object.entries(found.headers))
      if (!OWN_HEADERS.has(name)) reply.header(name, value);
    // The page has the origin of the console, and so needs the same headers.
    return reply.code(found.statusCode).headers(SECURITY_HEADERS).send(found.rawPayload);
  };
  for (const url of [PAGES, `${PAGES}/*`]) app.get(url, options, answer);
}
