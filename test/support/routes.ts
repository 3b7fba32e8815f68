import Fastify, { type RouteOptions } from 'fastify';
import { composeCarrier } from '../../src/app/compose/compose-carrier.ts';
import { composeLocations } from '../../src/app/compose/compose-locations.ts';
import { mounts } from '../../src/app/mounts.ts';
import { createRuleCache } from '../../src/features/smart-alerts/index.ts';
import { RepeatingFeeds } from '../../src/features/usage/sql-insert-records.ts';
import { parseSettings } from '../../src/platform/config/settings.ts';
import { concurrencyLimit } from '../../src/platform/flow-control/limits.ts';
import { createHealth } from '../../src/platform/health/health.ts';
import { schemaController } from '../../src/platform/http/schema-compilers.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { nobodyEvaluates } from './nobody-evaluates.ts';

const unused = async () => {};

/** Every route of the interface as the features declare it, without a running service. */
const FEED_SHARE = { limit: concurrencyLimit(1), aheadMs: 0, countGivenUp: () => {} };

export async function listRoutes(): Promise<(RouteOptions & { method: string })[]> {
  const routes: (RouteOptions & { method: string })[] = [];
  const app = Fastify({ exposeHeadRoutes: false, schemaController });
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.push({ ...route, method });
  });
  const locations = composeLocations({ prefix: 'SVC' }, undefined, unused, createLog('silent'));
  const clock = {
    mover: undefined,
    worksAll: true,
    waitMs: 1,
    life: undefined,
    countOtherNodes: async () => 0,
    afterReset: unused,
  };
  const all = mounts({
    prefix: 'SVC',
    locations,
    carrier: composeCarrier(unused),
    callbacks: { checkAddress: async () => undefined, deliveredDays: 7, userAgent: 'Linekeeper/0' },
    console: {
      signIn: {
        findOperator: async () => undefined,
        realNow: () => new Date(),
        policy: { lockAttempts: 5, lockMinutes: 15, loginsPerMinute: 60 },
        cookiePath: '/',
        secureCookie: true,
        sandbox: true,
        confirmLines: 10,
        version: '0',
      },
      mover: undefined,
      health: createHealth(),
    },
    sessions: {
      lockAttempts: 5,
      lockMinutes: 15,
      loginsPerMinute: 60,
      sessionHeader: 'SVC-M2M-Token',
      heardChanges: unused,
    },
    faultRules: undefined,
    requestLog: { flush: unused, kept: 0, sessionHeader: 'SVC-M2M-Token', realNow: () => new Date() },
    operator: {
      sections: [],
      heardChanges: unused,
      withhold: locations.withhold,
      simulator: undefined,
      scenarios: undefined,
      network: undefined,
      networkFeeds: [],
      positionSources: [],
      retentionDays: parseSettings({}).retentionDays,
      snapshots: { sandbox: true, snapshots: undefined, restored: unused },
      relocate: locations.relocate,
      feeds: {
        usage: {
          keptDays: 400,
          evaluator: nobodyEvaluates,
          share: FEED_SHARE,
          repeating: new RepeatingFeeds(),
          watch: { records: () => {}, batchSeconds: () => {} },
        },
        positions: { share: FEED_SHARE },
        readings: {
          cache: createRuleCache(),
          count: () => {},
          share: FEED_SHARE,
          countReadings: () => {},
        },
      },
      clock,
    },
  });
  for (const { prefix, routes: plugins } of all) {
    for (const plugin of plugins) await app.register(plugin, { prefix });
  }
  await app.ready();
  return routes;
}
