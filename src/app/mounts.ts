import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findBillingProgress } from '../features/billing-summary/index.ts';
import { billingRoutes, deviceUsageRoutes } from '../features/billing-summary/routes.ts';
import {
  deliveryRoutes,
  type ListenerDeps,
  type LogDeps,
  listenerRoutes,
} from '../features/callbacks/routes.ts';
import { carrierRequestRoutes } from '../features/carrier-requests/routes.ts';
import { consentRoutes } from '../features/consents/routes.ts';
import { type ConsoleDeps, consoleRoutes } from '../features/console/routes.ts';
import { lifecycleRoutes } from '../features/device-lifecycle/routes.ts';
import { deviceManagementRoutes, type FindReport } from '../features/device-management/routes.ts';
import { deviceRoutes } from '../features/devices/routes.ts';
import type { FaultRules } from '../features/injected-faults/index.ts';
import { faultRoutes } from '../features/injected-faults/routes.ts';
import { reportRoutes } from '../features/location-reports/routes.ts';
import { locationRoutes } from '../features/locations/routes.ts';
import { managedAccountRoutes } from '../features/managed-accounts/routes.ts';
import { type OperatorDeps, operatorRoutes } from '../features/operator/routes.ts';
import { planChangeRoutes } from '../features/plan-change/routes.ts';
import { planRoutes } from '../features/plans/routes.ts';
import { pricePlanTriggerRoutes } from '../features/price-plan-triggers/routes.ts';
import { type RequestLogDeps, requestLogRoutes } from '../features/request-log/routes.ts';
import { type SessionPolicy, sessionRoutes, tokenRoutes } from '../features/sessions/routes.ts';
import { licenseRoutes } from '../features/sim-secure/routes.ts';
import { latestReadingsOf } from '../features/smart-alerts/index.ts';
import { smartAlertRoutes } from '../features/smart-alerts/routes.ts';
import { firingRoutes } from '../features/trigger-actions/routes.ts';
import { keepLevels } from '../features/trigger-evaluation/index.ts';
import { backtestRoutes } from '../features/trigger-evaluation/routes.ts';
import { usageTriggerRoutes } from '../features/usage-triggers/routes.ts';
import type { Dialect } from '../platform/http/dialect.ts';
import {
  consoleDialect,
  deviceManagementDialect,
  fotaDialect,
  locationDialect,
  m2mDialect,
  oauthDialect,
  operatorDialect,
  subscriptionDialect,
  triggerDialect,
} from '../platform/http/dialects.ts';
import type { Carrier } from './compose/compose-carrier.ts';
import type { Locations } from './compose/compose-locations.ts';

export interface Mount {
  readonly prefix: string;
  readonly dialect: Dialect;
  readonly routes: readonly FastifyPluginAsyncTypebox[];
}

interface MountDeps {
  /** The prefix of SKUs. */
  readonly prefix: string;
  readonly sessions: SessionPolicy;
  readonly operator: Omit<OperatorDeps, 'acting'>;
  readonly requestLog: RequestLogDeps;
  /** Undefined outside the sandbox. */
  readonly faultRules: FaultRules | undefined;
  readonly callbacks: ListenerDeps & Pick<LogDeps, 'userAgent'>;
  readonly locations: Locations;
  readonly carrier: Carrier;
  /** Undefined if the console is off. */
  readonly console: ConsoleDeps | undefined;
}

const findLastReading: FindReport = async (db, { ecpdId }, deviceId) =>
  (await latestReadingsOf(db, ecpdId, [deviceId])).at(0)?.at;

const triggerRoutes = (carrier: Carrier) => [
  pricePlanTriggerRoutes(keepLevels),
  backtestRoutes,
  firingRoutes(carrier),
];

/** Published clients omit /m2m, so the same routes exist without it, described only once. */
const withoutArea =
  (routes: FastifyPluginAsyncTypebox): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.addHook('onRoute', ({ schema }) => {
      if (schema?.operationId === undefined) return;
      Object.assign(schema, { operationId: `${schema.operationId}WithoutArea`, hide: true });
    });
    await api.register(routes);
  };

/** The table of contents of the interface: the prefix and the error format of each feature's routes. */
export const mounts = ({
  prefix,
  sessions,
  operator,
  requestLog,
  faultRules,
  callbacks,
  locations,
  carrier,
  console,
}: MountDeps): readonly Mount[] => [
  { prefix: '/ts/v1', dialect: oauthDialect, routes: [tokenRoutes(sessions)] },
  {
    prefix: '/m2m/v1',
    dialect: m2mDialect,
    routes: [
      sessionRoutes(sessions),
      planRoutes,
      deviceRoutes,
      deviceUsageRoutes,
      licenseRoutes({ prefix, workJob: carrier.workJob }),
      listenerRoutes('m2m', callbacks.checkAddress),
      deliveryRoutes({ ...callbacks, withhold: locations.withhold }),
      carrierRequestRoutes([findBillingProgress]),
      lifecycleRoutes(carrier),
      planChangeRoutes(carrier),
    ],
  },
  { prefix: '/m2m/v2/devices', dialect: m2mDialect, routes: [billingRoutes] },
  { prefix: '/fota/v1', dialect: fotaDialect, routes: [listenerRoutes('fota', callbacks.checkAddress)] },
  {
    prefix: '/loc/v1',
    dialect: locationDialect,
    routes: [
      listenerRoutes('loc', callbacks.checkAddress),
      consentRoutes,
      locationRoutes(locations),
      reportRoutes(locations),
    ],
  },
  {
    prefix: '/subsc/v1',
    dialect: subscriptionDialect,
    routes: [managedAccountRoutes({ prefix }), usageTriggerRoutes],
  },
  { prefix: '/m2m/v2/triggers', dialect: triggerDialect, routes: triggerRoutes(carrier) },
  { prefix: '/v2/triggers', dialect: triggerDialect, routes: triggerRoutes(carrier).map(withoutArea) },
  {
    prefix: '/dm/v1',
    dialect: deviceManagementDialect,
    routes: [deviceManagementRoutes({ reading: findLastReading }), smartAlertRoutes],
  },
  {
    prefix: '/operator/v1',
    dialect: operatorDialect,
    routes: [
      operatorRoutes({ ...operator, acting: carrier }),
      requestLogRoutes(requestLog),
      faultRoutes(faultRules),
    ],
  },
  ...(console === undefined
    ? []
    : [{ prefix: '/console/v1', dialect: consoleDialect, routes: [consoleRoutes(console)] }]),
];
