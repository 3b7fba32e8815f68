import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { describeCallbacks } from '../features/callbacks/index.ts';
import { callerOf } from '../features/console/index.ts';
import { auditCalls } from '../features/operator/index.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Db } from '../platform/db/db.ts';
import type { Health } from '../platform/health/health.ts';
import { publicRoute } from '../platform/http/access.ts';
import { describeRefusals, refuseUnknownPaths, speak } from '../platform/http/dialect.ts';
import { m2mDialect } from '../platform/http/dialects.ts';
import { refuseUnreadable, refuseUnroutable } from '../platform/http/framework-errors.ts';
import { type Authentication, guard } from '../platform/http/guard.ts';
import { acceptIdempotencyKeys } from '../platform/http/idempotency.ts';
import { BODY_MAX_BYTES, parseEveryBodyAsJson } from '../platform/http/json-body.ts';
import { createMethodGuard, type MethodGuard } from '../platform/http/method-not-allowed.ts';
import { describeApi } from '../platform/http/openapi.ts';
import { limitRate, type RateLimiter, rateLimiter } from '../platform/http/rate-limit.ts';
import { readFromReplica } from '../platform/http/replica.ts';
import { requestIdOf } from '../platform/http/request.ts';
import { compileSerialiser, compileValidator } from '../platform/http/schema-compilers.ts';
import { SECURITY_HEADERS, type StaticSite, serveStaticSite } from '../platform/http/static-files.ts';
import { dropUnreadBodies, UnreadBodies } from '../platform/http/unread-bodies.ts';
import { refuseNulInUrl } from '../platform/json/storable-text.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { traceRequests } from '../platform/telemetry/tracing/trace-requests.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import type { Mount } from './mounts.ts';
import { VERSION } from './version.ts';

interface ApiDeps {
  readonly ctx: Ctx;
  /** Answers the routes that may read from a replica; undefined where there is none. */
  readonly replica: Db | undefined;
  readonly mounts: readonly Mount[];
  readonly authentication: Authentication;
  readonly basePath: string;
  readonly sessionHeader: string;
  readonly trustProxy: boolean | number | string;
  readonly corsOrigins: readonly string[];
  /** Calls a minute per client; 0 is no limit. */
  readonly callsPerMinute: number;
  /** The same for whoever is signed in to the console, in all sessions together. */
  readonly viewerCallsPerMinute: number;
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The pages of the console; none where it is switched off or was not built. */
  readonly site: StaticSite | undefined;
  /** What stands against the work of this process. */
  readonly health: Pick<Health, 'failing' | 'notices'>;
}

/** Time to receive a whole request: a sender of drops cannot hold a connection for ever. */
const REQUEST_MS = 10 * 60_000;

function createServer({ ctx, trustProxy, tls }: ApiDeps): FastifyInstance {
  const bodies = new UnreadBodies();
  const options = {
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false as const,
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: typeof trustProxy === 'number' ? (_: string, hop: number) => hop < trustProxy : trustProxy,
    requestTimeout: REQUEST_MS,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle' as const,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      refuseUnroutable(request, reply, bodies),
    clientErrorHandler: (error: Error, socket: Socket) => refuseUnreadable(error, socket, bodies),
  };
  const https = tls && { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  const app = Fastify({
    ...options,
    ...(https && { https }),
  } as typeof options) as unknown as FastifyInstance;
  dropUnreadBodies(app, bodies);
  return app;
}

const EXAMPLES = new URL('../../examples.json', import.meta.url);
const loadExamples = () => JSON.parse(readFileSync(EXAMPLES, 'utf8'));

const HALF_A_YEAR_SECONDS = 182 * 86_400;

/** The one line that is logged about a request: patterns and names, never paths or bodies. */
const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: request.routeOptions.url,
  status: reply.raw.headersSent ? reply.statusCode : undefined,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  accountName: request.tenant?.accountName,
  user: request.operator === undefined ? request.principal?.username : undefined,
  operator: request.operator?.keyName,
  trace: request.ctx.trace,
});

/** A sandbox calls itself many times a minute: that would push what a person has just done off the screen. */
const levelOf = ({ operator }: FastifyRequest, { statusCode }: FastifyReply) =>
  operator?.isOwnProgram && statusCode < 400 ? 'debug' : 'info';

/** What every request carries, and what is logged when it has ended. */
function prepareRequests(app: FastifyInstance, { ctx, tls }: ApiDeps): void {
  for (const name of ['ctx', 'dialect', 'clientId', 'principal', 'tenant', 'viewer', 'operator'])
    app.decorateRequest(name);
  app.addHook('onRequest', async (request, reply) => {
    request.ctx = {
      ...ctx,
      requestId: request.id,
      log: request.log as Ctx['log'],
      callerAddress: request.ip,
    };
    request.dialect = m2mDialect;
    reply.header('x-request-id', request.id);
    // Where a proxy ends TLS, whether to promise it for so long is the proxy's to say.
    if (tls !== undefined) reply.header('strict-transport-security', `max-age=${HALF_A_YEAR_SECONDS}`);
    reply.raw.once('close', () => {
      const end = reply.raw.writableFinished ? 'answered' : 'the caller went away before the answer';
      request.log[levelOf(request, reply)](lineOf(request, reply), end);
    });
  });
}

/** Operators are limited in the console only: what they feed has no end. */
function limitCalls(
  scope: FastifyInstance,
  perMinute: number,
  limiter: RateLimiter,
  keyOf: (request: FastifyRequest) => string | undefined,
): void {
  if (perMinute === 0) return;
  scope.addHook('onRequest', async (request, reply) => {
    const key = keyOf(request);
    if (key !== undefined) limitRate({ request, reply }, { limiter, perMinute, policy: 'calls', key });
  });
}

async function mountAll(app: FastifyInstance, deps: ApiDeps, methods: MethodGuard): Promise<void> {
  const { callsPerMinute, viewerCallsPerMinute } = deps;
  const [clients, viewers] = [rateLimiter(callsPerMinute), rateLimiter(viewerCallsPerMinute)];
  for (const { prefix, dialect, routes } of deps.mounts) {
    await app.register(
      async (scope) => {
        traceRequests(scope, deps.tracing);
        speak(scope, dialect);
        describeRefusals(scope, dialect);
        guard(scope, deps.authentication);
        auditCalls(scope);
        refuseNulInUrl(scope);
        limitCalls(scope, callsPerMinute, clients, ({ clientId }) => clientId);
        limitCalls(scope, viewerCallsPerMinute, viewers, ({ viewer }) => viewer && callerOf(viewer));
        acceptIdempotencyKeys(scope);
        if (deps.replica !== undefined) readFromReplica(scope, deps.replica);
        methods.learnPaths(scope, dialect);
        for (const plugin of routes) await scope.register(plugin);
      },
      { prefix: `${deps.basePath}${prefix}` },
    );
  }
}

function serveHealth(app: FastifyInstance, { metrics, health, basePath }: ApiDeps): void {
  const config = { access: publicRoute };
  const probed = { ...config, timed: false } as const;
  const schema = { hide: true } as object;
  app.get('/health/live', { config: probed, schema }, async () => ({ status: 'live' }));
  app.get('/health/ready', { config: probed, schema }, async (_request, reply) => {
    const failing = health.failing();
    const notices = health.notices();
    if (failing.length === 0) return { status: 'ready', ...(notices.length > 0 && { notices }) };
    const reason = failing.map((each) => `${each.check}: ${each.reason}`).join('; ');
    return reply.code(503).send({ status: 'not ready', reason, failing });
  });
  app.get('/metrics', { config: probed, schema }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  app.get(`${basePath}/openapi.json`, { config, schema }, async () => app.swagger());
  const callbacks = describeCallbacks({ version: VERSION });
  app.get(`${basePath}/asyncapi.json`, { config, schema }, async () => callbacks);
}

/** Paths under which every answer is a program's. */
const notPages = ({ basePath, mounts }: ApiDeps): readonly string[] => [
  ...(basePath === '' ? mounts.map(({ prefix }) => prefix) : [basePath]),
  '/docs',
  '/health',
  '/metrics',
  '/assets',
];

/** It has the origin of the console, and so its headers. */
async function serveReference(scope: FastifyInstance): Promise<void> {
  scope.addHook('onSend', async (_request, reply) => void reply.headers(SECURITY_HEADERS));
  await scope.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true },
    theme: { title: 'Linekeeper API reference', favicon: [] },
  });
}

/** The whole service as a Fastify instance that listens nowhere yet: tests use it as it is. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const app = createServer(deps);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerialiser);
  parseEveryBodyAsJson(app);
  prepareRequests(app, deps);
  deps.metrics.measureRequests(app);
  speak(app, m2mDialect);
  if (deps.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...deps.corsOrigins],
      exposedHeaders: ['X-Request-Id', 'X-Next', 'Retry-After', 'Webhook-Secret'],
    });
  }
  const methods = createMethodGuard();
  const servePage = deps.site && (await serveStaticSite(app, deps.site, notPages(deps)));
  refuseUnknownPaths(app, (...asked) => methods.refuseMethod(...asked) ?? servePage?.(...asked));
  const { sessionHeader, basePath } = deps;
  await describeApi(app, { version: VERSION, sessionHeader, basePath, loadExamples });
  await app.register(serveReference);
  await mountAll(app, deps, methods);
  serveHealth(app, deps);
  await app.ready();
  return app;
}
