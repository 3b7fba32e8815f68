import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findAccountByName, listAccountNames } from '../../features/accounts/index.ts';
import { authenticateViewers } from '../../features/console/index.ts';
import { createFaultRules, type FaultRules } from '../../features/injected-faults/index.ts';
import { authenticateOperators, operatorFinder } from '../../features/operator/index.ts';
import {
  authenticateCallers,
  bearerOf,
  createLiveAccess,
  type LiveAccess,
  revokeToken,
} from '../../features/sessions/index.ts';
import { realClock } from '../../platform/clock/clock.ts';
import type { Settings } from '../../platform/config/settings.ts';
import type { Ctx, Principal } from '../../platform/context/context.ts';
import { openStaticSite, type StaticSite } from '../../platform/http/static-files.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { noTracing } from '../../platform/telemetry/tracing/tracing.ts';
import { buildApi } from '../build-api.ts';
import { openMapStyle } from '../map-style.ts';
import { type Mount, mounts } from '../mounts.ts';
import { knownFeeds } from '../network/network-feeds.ts';
import { openRequestLog, type RequestLog } from '../request-log.ts';
import { fleetSectionsWith } from '../sections.ts';
import type { Surroundings } from '../surroundings.ts';
import { USER_AGENT, VERSION } from '../version.ts';
import type { Domain } from './compose-domain.ts';
import type { Engines } from './compose-engines.ts';

/** The console built by `npm ci` or `npm start`; see clients/console. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../../../clients/console/dist', import.meta.url));

/** A worker serves no console. */
function openConsole({ console, role, basePath, mapStyle }: Settings, { log }: Ctx): StaticSite | undefined {
  if (!console || role === 'worker') return undefined;
  const { written, site: map } = openMapStyle(mapStyle);
  const values = { __LINEKEEPER_BASE__: basePath, __LINEKEEPER_MAP__: written };
  const site = openStaticSite(CONSOLE_FOLDER, values, map);
  if (site === undefined) log.warn('the console is not built; npm start builds it');
  return site;
}

const headerOf = ({ prefix }: Settings) => `${prefix}-M2M-Token`;
const viewersOf = ({ operatorKey, simulator, scenarios }: Surroundings) => ({
  findOperator: operatorFinder(operatorKey, simulator?.operatorKey, scenarios?.findPlayer),
  realNow: realClock.now,
});

const consoleOf = (around: Surroundings, { mover }: Engines) => ({
  signIn: {
    ...viewersOf(around),
    policy: around.settings,
    cookiePath: around.settings.basePath === '' ? '/' : around.settings.basePath,
    secureCookie: around.settings.secureCookie,
    sandbox: around.settings.sandbox,
    version: VERSION,
    confirmLines: around.settings.consoleConfirmLines,
  },
  mover,
  health: around.health,
  livePollMs: around.limits?.livePollMs,
});

const operatorOf = (
  { settings, nodes, simulator, callbackHttp, feed, snapshots, scenarios }: Surroundings,
  { locations, feeds, lines }: Domain,
  { mover, engine }: Engines,
  rules: FaultRules | undefined,
) => ({
  sections: fleetSectionsWith(callbackHttp.checkAddressText, lines?.network),
  network: lines,
  networkFeeds: knownFeeds(settings.network),
  positionSources: settings.network?.positions ?? [],
  retentionDays: settings.retentionDays,
  clock: {
    mover,
    worksAll: settings.role === 'all',
    countOtherNodes: nodes.countOthers,
    waitMs: settings.advanceWaitMs,
    life: simulator,
    async afterReset() {
      await engine.addRecurring();
      await simulator?.resume();
    },
  },
  feeds,
  heardChanges: feed.catchUp,
  withhold: locations.withhold,
  relocate: settings.sandbox ? locations.relocate : undefined,
  simulator,
  scenarios,
  snapshots: { sandbox: settings.sandbox, snapshots, restored: () => rules?.clear() },
});

/** A worker serves its health and metrics only. */
const mountsOf = (
  around: Surroundings,
  domain: Domain,
  engines: Engines,
  log: RequestLog | undefined,
  rules: FaultRules | undefined,
): readonly Mount[] => {
  const { settings, callbackHttp, feed } = around;
  if (settings.role === 'worker') return [];
  return mounts({
    prefix: settings.prefix,
    callbacks: {
      checkAddress: callbackHttp.checkAddress,
      deliveredDays: settings.retentionDays.delivered,
      userAgent: USER_AGENT,
    },
    locations: domain.locations,
    carrier: domain.carrier,
    sessions: { ...settings, sessionHeader: headerOf(settings), heardChanges: feed.catchUp },
    console: settings.console ? consoleOf(around, engines) : undefined,
    operator: operatorOf(around, domain, engines, rules),
    faultRules: rules,
    requestLog: {
      flush: async () => log?.queue.flush(),
      kept: settings.requestLog,
      sessionHeader: headerOf(settings),
      realNow: realClock.now,
    },
  });
};

/** Expires the session of a call, or its bearer token if it has no session. */
const tokenExpirer =
  (access: LiveAccess, feed: Surroundings['feed']) =>
  async (request: FastifyRequest): Promise<void> => {
    const { ctx, headers } = request;
    const principal = request.principal as Principal | undefined;
    const clientId = request.clientId as string | undefined;
    if (principal !== undefined) return access.expireSession(principal.sessionHash, ctx.now().getTime());
    if (clientId === undefined) return;
    await revokeToken(ctx, clientId, bearerOf(headers.authorization));
    await feed.catchUp();
  };

/** The HTTP side: access, routes and their dependencies. `stop` ends its background work. */
export async function composeApi(
  ctx: Ctx,
  around: Surroundings,
  domain: Domain,
  engines: Engines,
  metrics: Metrics,
): Promise<{ readonly api: FastifyInstance; stop(): Promise<void> }> {
  const { settings, replica, feed, health, tracing = noTracing } = around;
  const sessionHeader = headerOf(settings);
  const viewers = viewersOf(around);
  const access = createLiveAccess(
    ctx.db,
    feed,
    (error) => ctx.log.error({ err: error }, 'session use was not recorded'),
    health.loop('sessions.record'),
  );
  const requestLog = await openRequestLog(ctx, around);
  const rules = settings.sandbox ? (around.faultRules ?? createFaultRules()) : undefined;
  const api = await buildApi({
    ...settings,
    ctx,
    requestLog,
    replica: replica?.db,
    sessionHeader,
    metrics,
    tracing,
    health,
    front: around.front,
    site: openConsole(settings, ctx),
    mounts: mountsOf(around, domain, engines, requestLog, rules),
    faults: rules && { rules, expire: tokenExpirer(access, feed) },
    authentication: {
      ...authenticateCallers(access, sessionHeader),
      ...authenticateOperators(viewers.findOperator),
      ...authenticateViewers(viewers, sessionHeader),
      ...(settings.console ? {} : { hasCookie: () => false }),
      isReachable: ({ db }, ecpdId) => db.servers.isReachable(ecpdId),
      findTenant: ({ db }, accountName) => findAccountByName(db, accountName),
      listAccountsOf: ({ db }, ecpdId) => listAccountNames(db, ecpdId),
    },
  });
  return {
    api,
    async stop() {
      await access.stop();
      await requestLog?.queue.stop();
    },
  };
}
