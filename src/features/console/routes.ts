import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Health } from '../../platform/health/health.ts';
import type { CheckListenerAddress, WithholdPayloads } from '../callbacks/index.ts';
import { auditCalls, type ClockDeps } from '../operator/index.ts';
import type { ActingDeps } from '../trigger-actions/index.ts';
import { createLiveHub } from './live/live-hub.ts';
import { eventRoutes } from './live/routes.ts';
import { accountMarks, clockMark } from './live/watches.ts';
import { auditRoutes } from './pages/audit/routes.ts';
import { billingRoutes } from './pages/billing/routes.ts';
import { callbackRoutes } from './pages/callbacks/routes.ts';
import { listenerRoutes } from './pages/callbacks/routes-listeners.ts';
import { deviceRoutes } from './pages/devices/routes.ts';
import { managedRoutes } from './pages/managed/routes.ts';
import { mapRoutes } from './pages/map/routes.ts';
import { operationRoutes } from './pages/operation/routes.ts';
import { overviewRoutes } from './pages/overview/routes.ts';
import { alertRoutes } from './pages/records/routes-alerts.ts';
import { recordRoutes } from './pages/records/routes-records.ts';
import { ruleRoutes } from './pages/records/routes-rules.ts';
import { locationReportRoutes, type ReportDeps } from './pages/reports/routes.ts';
import { firingRoutes } from './pages/triggers/routes-firings.ts';
import { pricePlanTriggerRoutes } from './pages/triggers/routes-price-plan.ts';
import { usageTriggerRoutes } from './pages/triggers/routes-usage.ts';
import { findViewer } from './session/find-viewer.ts';
import { refuseForged } from './session/refuse-forged.ts';
import { type SignInDeps, sessionRoutes } from './session/routes.ts';

export interface ConsoleDeps {
  /** What SKUs begin with. */
  readonly prefix: string;
  readonly signIn: Omit<SignInDeps, 'onSignOut'>;
  readonly checkAddress: CheckListenerAddress;
  readonly withhold: WithholdPayloads;
  readonly clock: ClockDeps;
  readonly health: Health;
  readonly locations: ReportDeps;
  readonly acting: ActingDeps;
  /** Time between two looks for changes, if not the usual. */
  readonly livePollMs?: number | undefined;
}

/** Mounted at /console/v1: what the pages of the console ask for. Each page has a file of its own. */
export const consoleRoutes =
  ({
    prefix,
    signIn,
    checkAddress,
    withhold,
    clock,
    health,
    locations,
    acting,
    livePollMs,
  }: ConsoleDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const hub = createLiveHub({
      marks: { ...accountMarks, clock: clockMark(clock.mover) },
      findViewer: (ctx, sessionHash) => findViewer(ctx, sessionHash, signIn),
      // A page that is not told reads again by itself.
      loop: health.loop('console.live', { vital: false }),
      pollMs: livePollMs,
    });
    refuseForged(api);
    // Refusals too: what a person was shown must not be found on the disk of the machine they sat at, nor run as a page.
    api.addHook('onSend', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    });
    // A page that is open reads all the time: of operators their changes are written down, and that they signed in.
    auditCalls(api, ({ method }) => method !== 'GET');
    await api.register(sessionRoutes({ ...signIn, onSignOut: hub.endSession }));
    await api.register(eventRoutes(hub));
    await api.register(overviewRoutes);
    await api.register(deviceRoutes);
    await api.register(mapRoutes);
    await api.register(locationReportRoutes(locations));
    await api.register(billingRoutes);
    await api.register(managedRoutes(prefix));
    await api.register(listenerRoutes(checkAddress));
    await api.register(callbackRoutes(withhold));
    await api.register(pricePlanTriggerRoutes);
    await api.register(usageTriggerRoutes);
    await api.register(firingRoutes(acting));
    await api.register(recordRoutes);
    await api.register(ruleRoutes);
    await api.register(alertRoutes);
    await api.register(operationRoutes(clock));
    await api.register(auditRoutes);
  };
