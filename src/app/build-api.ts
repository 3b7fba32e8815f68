import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { describeCallbacks } from '../features/callback-payloads/index.ts';
import { callerOf } from '../features/console/index.ts';
import { chooseFaults, injectFaults } from '../features/injected-faults/index.ts';
import { auditCalls } from '../features/operator/index.ts';
import { recordCalls } from '../features/request-log/index.ts';
import { type Ctx, forWork } from '../platform/context/context.ts';
import type { Db } from '../platform/db/db.ts';
import type { Health } from '../platform/health/health.ts';
import { publicRoute } from '../platform/http/access.ts';
import { describeRefusals, refuseUnknownPaths, speak } from '../platform/http/dialect.ts';
import { m2mDialect } from '../platform/http/dialects.ts';
import { refuseLongParams, refuseUnreadable, refuseUnroutable } from '../platform/http/framework-errors.ts';
import { type Front, REQUEST_MS } from '../platform/http/front.ts';
import { type Authentication, guard } from '../platform/http/guard.ts';
import { leaveOutBodiesOfHead, routeHeadLikeGet } from '../platform/http/head-requests.ts';
import { acceptIdempotencyKeys } from '../platform/http/idempotency.ts';
import { BODY_MAX_BYTES, parseEveryBodyAsJson } from '../platform/http/json-body.ts';
import { createMethodGuard, type MethodGuard } from '../platform/http/method-not-allowed.ts';
import { maxHeaderSize } from '../platform/http/node-http.ts';
import { foreignHostRefuser } from '../platform/http/own-pages.ts';
import { limitRate, type RateLimiter, rateLimiter } from '../platform/http/rate-limit.ts';
import { serveReference } from '../platform/http/reference.ts';
import { readFromReplica } from '../platform/http/replica.ts';
import { requestIdOf } from '../platform/http/request.ts';
import { schemaController } from '../platform/http/schema-compilers.ts';
import { type StaticSite, serveStaticSite } from '../platform/http/static-files.ts';
import { dropUnreadBodies, listenOnOwnServer, UnreadBodies } from '../platform/http/unread-bodies.ts';
import { refuseNulInUrl } from '../platform/json/storable-text.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { traceRequests } from '../platform/telemetry/tracing/trace-requests.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import type { Mount } from './mounts.ts';
import type { RequestLog } from './request-log.ts';
import { VERSION } from './version.ts';

interface ApiDeps {
  readonly ctx: Ctx;
  /** Serves the routes that may read from a replica; undefined without one. */
  readonly replica: Db | undefined;
  readonly mounts: readonly Mount[];
  readonly authentication: Authentication;
  readonly basePath: string;
  readonly sessionHeader: string;
  readonly trustProxy: boolean | number | string;
  readonly corsOrigins: readonly string[];
  readonly sandbox: boolean;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** Calls per minute and client; 0 for no limit. */
  readonly callsPerMinute: number;
  /** The same for a viewer of the console, over all sessions together. */
  readonly viewerCallsPerMinute: number;
  readonly tls?: object | undefined;
  /** Receives the requests; without it the instance listens itself, as in tests. */
  readonly front?: Front | undefined;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The pages of the console; none if it is off or was not built. */
  readonly site: StaticSite | undefined;
  /** Undefined if calls are not logged. */
  readonly requestLog: RequestLog | undefined;
  /** Set if failures can be injected. */
  readonly faults: Pick<Parameters<typeof injectFaults>[1], 'rules' | 'expire'> | undefined;
  /** The failing checks of this process. */
  readonly health: Pick<Health, 'failing' | 'notices'>;
}

function createServer({ ctx, trustProxy, front }: ApiDeps): FastifyInstance {
  const bodies = front?.bodies ?? new UnreadBodies();
  const options = {
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw: IncomingMessage) => requestIdOf(raw, ctx.chance),
    requestIdHeader: false as const,
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: typeof trustProxy === 'number' ? (_: string, hop: number) => hop < trustProxy : trustProxy,
    requestTimeout: REQUEST_MS,
    schemaController,
    exposeHeadRoutes: false,
    rewriteUrl: routeHeadLikeGet,
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle' as const,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
      refuseUnroutable(request, reply, bodies),
    clientErrorHandler: (error: Error, socket: Socket) => refuseUnreadable(error, socket, bodies),
  };
  const app = Fastify(options) as unknown as FastifyInstance;
  dropUnreadBodies(app, bodies);
  leaveOutBodiesOfHead(app);
  if (front === undefined) listenOnOwnServer(app, bodies);
  return app;
}

const EXAMPLES = new URL('../../examples.json', import.meta.url);
const loadExamples = () => JSON.parse(readFileSync(EXAMPLES, 'utf8'));

const HALF_A_YEAR_SECONDS = 182 * 86_400;

/** The log line of a request: patterns and names, never paths or bodies. */
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

/** A sandbox calls itself many times a minute, which would hide the user's own calls. */
const levelOf = ({ operator }: FastifyRequest, { statusCode }: FastifyReply) =>
  operator?.isOwnProgram && statusCode < 400 ? 'debug' : 'info';

/** Distinguishes callers, so that calls of the simulated fleet are not counted with other callers' calls. */
const workOf = ({ method, url, operator, principal, clientId }: FastifyRequest) =>
  `${method} ${url} ${operator?.keyName ?? principal?.username ?? clientId ?? ''}`;

const CARRIED = [
  ...['ctx', 'calledAt', 'dialect', 'clientId', 'principal', 'tenant', 'viewer', 'operator'],
  ...['bodyText', 'refused', 'injected'],
];

/** Adds the data that every request carries, and logs its end. */
function prepareRequests(app: FastifyInstance, { ctx, tls }: ApiDeps): void {
  for (const name of CARRIED) app.decorateRequest(name);
  app.addHook('onRequest', (request, reply, done) => {
    request.ctx = {
      ...forWork(ctx, () => workOf(request)),
      requestId: request.id,
      log: request.log as Ctx['log'],
      callerAddress: request.ip,
    };
    request.calledAt = ctx.now();
    request.dialect = m2mDialect;
    reply.header('x-request-id', request.id);
    // If a proxy terminates TLS, the proxy decides about this header.
    if (tls !== undefined) reply.header('strict-transport-security', `max-age=${HALF_A_YEAR_SECONDS}`);
    reply.raw.once('close', () => {
      const end = reply.raw.writableFinished
        ? 'answered'
        : 'the caller closed the connection before the answer';
      request.log[levelOf(request, reply)](lineOf(request, reply), end);
    });
    done();
  });
}

/** Operators are limited only in the console, because feeds have no limit. */
function limitCalls(
  scope: FastifyInstance,
  perMinute: number,
  limiter: RateLimiter,
  keyOf: (request: FastifyRequest) => string | undefined,
): void {
  if (perMinute === 0) return;
  scope.addHook('onRequest', (request, reply, done) => {
    const key = keyOf(request);
    if (key !== undefined)
      limitRate({ request, reply }, limiter.take(key, Date.now()), { perMinute, policy: 'calls' });
    done();
  });
}

/** Names the plugin, because Fastify would otherwise search all loaded modules for the name. */
const named = <Plugin extends object>(name: string, plugin: Plugin): Plugin =>
  Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name });

async function mountAll(
  app: FastifyInstance,
  deps: ApiDeps,
  methods: MethodGuard,
  unanswered: Parameters<typeof injectFaults>[1]['unanswered'],
): Promise<void> {
  const { callsPerMinute, viewerCallsPerMinute } = deps;
  const [clients, viewers] = [rateLimiter(callsPerMinute), rateLimiter(viewerCallsPerMinute)];
  for (const { prefix, dialect, routes } of deps.mounts) {
    // Other work goes on: a database connects, and the core before this one answers requests.
    await setImmediate();
    await app.register(
      named(prefix, async (scope: FastifyInstance) => {
        traceRequests(scope, deps.tracing);
        speak(scope, dialect);
        describeRefusals(scope, dialect);
        guard(scope, deps.authentication);
        const faults = deps.faults && { ...deps.faults, basePath: deps.basePath, unanswered };
        if (faults !== undefined) chooseFaults(scope, faults);
        auditCalls(scope);
        if (faults !== undefined) injectFaults(scope, faults);
        refuseNulInUrl(scope);
        refuseLongParams(scope);
        limitCalls(scope, callsPerMinute, clients, ({ clientId }) => clientId);
        limitCalls(scope, viewerCallsPerMinute, viewers, ({ viewer }) => viewer && callerOf(viewer));
        acceptIdempotencyKeys(scope);
        if (deps.replica !== undefined) readFromReplica(scope, deps.replica);
        methods.learnPaths(scope, dialect);
        for (const plugin of routes) await scope.register(named(prefix, plugin));
      }),
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
  app.get(`${basePath}/asyncapi.json`, { config, schema }, async () =>
    describeCallbacks({ version: VERSION }),
  );
}

/** Paths whose answers are for programs. */
const notPages = ({ basePath, mounts }: ApiDeps): readonly string[] => [
  ...(basePath === '' ? mounts.map(({ prefix }) => prefix) : [basePath]),
  '/docs',
  '/health',
  '/metrics',
  '/assets',
  '/map/streets.pmtiles',
];

/** Browsers send one of these headers, or call for a page of the console. Programs may use any name. */
function refuseForeignHosts(
  app: FastifyInstance,
  { basePath, authentication }: ApiDeps,
  refuseForeignHost: (request: FastifyRequest) => void,
): void {
  const ofConsole = `${basePath}/console/`;
  app.addHook('onRequest', (request, _reply, done) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isOfBrowser = (origin ?? site) !== undefined || request.url.startsWith(ofConsole);
    if (isOfBrowser || authentication.hasCookie(request)) refuseForeignHost(request);
    done();
  });
}

/** The whole service as a Fastify instance that does not listen yet; tests use it directly. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const app = createServer(deps);
  parseEveryBodyAsJson(app);
  prepareRequests(app, deps);
  const checksHosts = deps.sandbox || deps.allowedHosts.length > 0;
  const refuseForeignHost = checksHosts ? foreignHostRefuser(deps) : () => {};
  refuseForeignHosts(app, deps, refuseForeignHost);
  deps.metrics.measureRequests(app);
  const record = deps.requestLog && recordCalls(app, deps.requestLog);
  speak(app, m2mDialect);
  if (deps.corsOrigins.length > 0) {
    const { default: cors } = await import('@fastify/cors');
    await app.register(cors, {
      origin: [...deps.corsOrigins],
      exposedHeaders: ['X-Request-Id', 'X-Next', 'Retry-After', 'Webhook-Secret'],
    });
  }
  const methods = createMethodGuard();
  const servePage = deps.site && (await serveStaticSite(app, deps.site, notPages(deps), refuseForeignHost));
  refuseUnknownPaths(app, (...asked) => methods.refuseMethod(...asked) ?? servePage?.(...asked));
  const { sessionHeader, basePath } = deps;
  serveReference(app, { version: VERSION, sessionHeader, basePath, loadExamples });
  await mountAll(app, deps, methods, (request, reply) => record?.(request, reply, undefined));
  serveHealth(app, deps);
  await app.ready();
  return app;
}
