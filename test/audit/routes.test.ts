import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scopeFor } from '../../src/platform/http/access.ts';
import { listRoutes } from '../support/routes.ts';

/** Every route of the interface with its access: a new route needs a deliberate line here. */
const ROUTES = `
POST /ts/v1/oauth2/token: client-credentials
POST /ts/v1: client-credentials
POST /ts/v1/oauth2/revoke: client-credentials
POST /m2m/v1/session/login: bearer
POST /m2m/v1/session/logout: session; no cookie
PUT /m2m/v1/session/password/actions/reset: session; no cookie
GET /m2m/v1/plans/:accountName: account in params; operators by cookie: read
GET /m2m/v1/accounts/:accountName: account in params; operators by cookie: read
GET /m2m/v1/accounts/:accountName/requests/:requestId/status: account in params; operators by cookie: read
GET /m2m/v1/accounts/:accountName/requests/:requestId/devices: account in params; operators by cookie: read
PUT /m2m/v1/devices/actions/plan: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/actions/plan: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/license/actions/assign: account in body, or the only one; operators by cookie: fleet
DELETE /m2m/v1/devices/license/actions/assign: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/actions/activate: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/actions/suspend: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/actions/restore: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/actions/deactivate: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/suspension/status: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/callbacks/:accountName: account in params; operators by cookie: admin
GET /m2m/v1/callbacks/:accountName: account in params; operators by cookie: admin
DELETE /m2m/v1/callbacks/:accountName/name/:service: account in params; operators by cookie: callbacks
GET /m2m/v1/callbacks/:accountName/deliveries: account in params; operators by cookie: read
POST /m2m/v1/callbacks/:accountName/resend: account in params; operators by cookie: callbacks
GET /m2m/v1/callbacks/:accountName/failed: account in params; operators by cookie: read
POST /m2m/v1/callbacks/:accountName/failed/resend: account in params; operators by cookie: callbacks
GET /m2m/v1/callbacks/:accountName/log: account in params; operators by cookie: read
GET /m2m/v1/callbacks/:accountName/deliveries/:messageId: account in params; operators by cookie: read
GET /m2m/v1/callbacks/:accountName/deliveries/:messageId/attempts/:series/:attempt: account in params; operators by cookie: read
GET /m2m/v1/callbacks/:accountName/health: account in params; operators by cookie: read
PUT /m2m/v1/callbacks/:accountName/name/:service: account in params; operators by cookie: callbacks
GET /m2m/v1/callbacks/:accountName/name/:service/figures: account in params; operators by cookie: read
GET /m2m/v1/callbacks/:accountName/events/:event: account in params; operators by cookie: read
POST /m2m/v1/callbacks/:accountName/test: account in params; operators by cookie: callbacks
POST /m2m/v1/devices/actions/list: account in body, or the only one; operators by cookie: read
POST /m2m/v1/accounts/subscriptions/actions/list: account in body; operators by cookie: read
POST /m2m/v2/devices/usage/actions/billed: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/usage/actions/billedusage/list: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/usage/actions/list/aggregate: account in body, or the only one; operators by cookie: fleet
POST /m2m/v1/devices/usage/actions/list: account in body, or the only one, or that of the device; operators by cookie: read
POST /fota/v1/callbacks/:accountName: account in params; operators by cookie: admin
GET /fota/v1/callbacks/:accountName: account in params; operators by cookie: admin
DELETE /fota/v1/callbacks/:accountName/name/:service: account in params; operators by cookie: callbacks
POST /loc/v1/callbacks/:accountName: account in params; operators by cookie: admin
GET /loc/v1/callbacks/:accountName: account in params; operators by cookie: admin
DELETE /loc/v1/callbacks/:accountName/name/:service: account in params; operators by cookie: callbacks
POST /loc/v1/consents: account in body; operators by cookie: fleet
DELETE /loc/v1/consents: account in query; operators by cookie: fleet
GET /loc/v1/consents/:accountName: account in params; operators by cookie: read
GET /loc/v1/consents/:accountName/index/:startIndex: account in params; operators by cookie: read
GET /loc/v1/consents/:accountName/history: account in params; operators by cookie: read
PUT /loc/v1/devicelocations/action/consents: account in body; operators by cookie: fleet
POST /loc/v1/devicelocations/action/consents: account in body; operators by cookie: fleet
GET /loc/v1/devicelocations/action/consents: account in query; operators by cookie: read
POST /loc/v1/locations: account in body; operators by cookie: fleet
GET /loc/v1/subscriptions/:accountName: account in params; operators by cookie: read
POST /loc/v1/usage: account in body; operators by cookie: read
POST /loc/v1/locationreports: account in body; operators by cookie: fleet
GET /loc/v1/locationreports/:accountName/report/:txid/status: account in params; operators by cookie: read
GET /loc/v1/locationreports/:accountName/report/:txid/index/:startIndex: account in params; operators by cookie: read
DELETE /loc/v1/locationreports/:accountName/report/:txid: account in params; operators by cookie: fleet
GET /loc/v1/locationreports/:accountName: account in params; operators by cookie: read
POST /loc/v1/locationreports/:accountName: account in params; operators by cookie: fleet
GET /loc/v1/locationreports/:accountName/report/:txid: account in params; operators by cookie: read
POST /loc/v1/devicelocations: account in body; operators by cookie: fleet
DELETE /loc/v1/devicelocations/:txid: account in query; operators by cookie: fleet
POST /subsc/v1/managedaccounts/actions/add: account in body; operators by cookie: fleet
POST /subsc/v1/managedaccounts/actions/provision: account in body; operators by cookie: fleet
POST /subsc/v1/managedaccounts/actions/cancel: account in body, or paccountName; operators by cookie: fleet
GET /subsc/v1/managedaccounts/:accountName/service/:serviceName: account in params; operators by cookie: read
GET /subsc/v1/managedaccounts/:accountName/service/:serviceName/status/:status: account in params; operators by cookie: read
GET /subsc/v1/managedaccounts/:accountName/service/:serviceName/relations: account in params; operators by cookie: read
PATCH /operator/v1/devices/:kind/:id/simulation: operator feed
PATCH /operator/v1/devices/simulation: operator feed
GET /subsc/v1/managedaccounts/:accountName/service/:serviceName/statement/:month: account in params; operators by cookie: read
POST /subsc/v1/usage/triggers: account in body; operators by cookie: fleet
POST /subsc/v1/usage/triggers/:triggerId: account in body; operators by cookie: fleet
GET /subsc/v1/usage/accounts/:accountName/triggers: account in params; operators by cookie: read
GET /subsc/v1/usage/accounts/:accountName/triggers/:triggerId: account in params; operators by cookie: read
DELETE /subsc/v1/usage/accounts/:accountName/triggers/:triggerId: account in params; operators by cookie: fleet
GET /subsc/v1/usage/accounts/:accountName/triggers/:triggerId/firings: account in params; operators by cookie: read
POST /dm/v1/devices/actions/query: account in body; operators by cookie: read
POST /dm/v1/devices/gateways/actions/query: account in body; operators by cookie: read
PATCH /dm/v1/devices/gateways/actions/query: account in body; operators by cookie: read
POST /dm/v1/devices/sensors/actions/query: account in body; operators by cookie: read
POST /dm/v1/users/actions/query: account in body; operators by cookie: read
POST /dm/v1/rules/actions/query: account in body; operators by cookie: read
POST /dm/v1/users: account in body; operators by cookie: fleet
PATCH /dm/v1/users: account in body; operators by cookie: fleet
DELETE /dm/v1/users: account in body; operators by cookie: fleet
POST /dm/v1/rules: account in body; operators by cookie: fleet
DELETE /dm/v1/rules: account in body; operators by cookie: fleet
PATCH /dm/v1/devices: account in body; operators by cookie: fleet
POST /dm/v1/devices/actions/set: account in body; operators by cookie: fleet
POST /dm/v1/devices/lastreported: account in body; operators by cookie: read
POST /dm/v1/smartAlerts/actions/query: account in body; operators by cookie: read
PATCH /dm/v1/smartAlerts: account in body; operators by cookie: fleet
POST /dm/v1/smartAlerts/actions/bulkupdate: account in body; operators by cookie: fleet
POST /dm/v1/smartAlerts/actions/metrics: account in body; operators by cookie: read
POST /dm/v1/rules/actions/try: account in body; operators by cookie: read
GET /dm/v1/accounts/:accountName/rules/:ruleId/versions: account in params; operators by cookie: read
POST /m2m/v2/triggers: session; operators by cookie: fleet
PUT /m2m/v2/triggers: session; operators by cookie: fleet
GET /m2m/v2/triggers: session; operators by cookie: read
GET /m2m/v2/triggers/:triggerId: session; operators by cookie: read
DELETE /m2m/v2/triggers/:triggerId: session; operators by cookie: fleet
GET /m2m/v2/triggers/:triggerId/versions: session; operators by cookie: read
GET /m2m/v2/triggers/:triggerId/firings: session; operators by cookie: read
POST /m2m/v2/triggers/firings/:firingId/approve: session; operators by cookie: admin
POST /m2m/v2/triggers/firings/:firingId/reject: session; operators by cookie: admin
GET /m2m/v2/triggers/categories/:category: session; operators by cookie: read
GET /m2m/v2/triggers/accounts/:accountName: account in params; operators by cookie: read
POST /m2m/v2/triggers/actions/backtest: session; operators by cookie: read
POST /m2m/v2/triggers/actions/past-use: session; operators by cookie: read
POST /v2/triggers: session; operators by cookie: fleet
PUT /v2/triggers: session; operators by cookie: fleet
GET /v2/triggers: session; operators by cookie: read
GET /v2/triggers/:triggerId: session; operators by cookie: read
DELETE /v2/triggers/:triggerId: session; operators by cookie: fleet
GET /v2/triggers/:triggerId/versions: session; operators by cookie: read
GET /v2/triggers/:triggerId/firings: session; operators by cookie: read
POST /v2/triggers/firings/:firingId/approve: session; operators by cookie: admin
POST /v2/triggers/firings/:firingId/reject: session; operators by cookie: admin
GET /v2/triggers/categories/:category: session; operators by cookie: read
GET /v2/triggers/accounts/:accountName: account in params; operators by cookie: read
POST /v2/triggers/actions/backtest: session; operators by cookie: read
POST /v2/triggers/actions/past-use: session; operators by cookie: read
GET /operator/v1/network: operator read
GET /operator/v1/network/differences: operator read
GET /operator/v1/sessions: operator read
POST /operator/v1/network/check: operator admin
GET /operator/v1/network/check/:jobId: operator read
POST /operator/v1/network/orders/:orderId: operator feed
GET /operator/v1/network/:feed/files: operator read
PUT /operator/v1/network/:feed/files/:file: operator feed
POST /operator/v1/network/:element/pause: operator admin
POST /operator/v1/network/:element/resume: operator admin
GET /operator/v1/network/simulation: operator read
PATCH /operator/v1/network/simulation: operator feed
GET /operator/v1/simulator: operator read
PATCH /operator/v1/simulator: operator clock
GET /operator/v1/callbacks: operator read
POST /operator/v1/callbacks/resend: operator callbacks
POST /operator/v1/events: operator callbacks
GET /operator/v1/mail: operator read
GET /operator/v1/sms: operator read
POST /operator/v1/import: operator fleet
POST /operator/v1/usage: operator feed
POST /operator/v1/positions: operator feed
POST /operator/v1/readings: operator feed
POST /operator/v1/cells: operator feed
GET /operator/v1/usage/differences: operator read
GET /operator/v1/usage/doubtful: operator read
GET /operator/v1/export: operator fleet
GET /operator/v1/accounts: operator read
GET /operator/v1/accounts/:accountName: operator read
GET /operator/v1/accounts/:accountName/devices: operator read
DELETE /operator/v1/accounts/:accountName: operator admin
DELETE /operator/v1/accounts/:accountName/positions: operator admin
GET /operator/v1/customers: operator read
GET /operator/v1/customers/:ecpdId: operator read
DELETE /operator/v1/customers/:ecpdId: operator admin
DELETE /operator/v1/plans/:code: operator admin
DELETE /operator/v1/rate-plan-groups/:ecpdId/:ratePlanGroupId: operator admin
GET /operator/v1/devices/:kind/:id: operator read
GET /operator/v1/devices/:kind/:id/consents: operator read
DELETE /operator/v1/devices/:kind/:id: operator admin
POST /operator/v1/devices/:kind/:id/move: operator fleet
POST /operator/v1/devices/:kind/:id/state: operator fleet
DELETE /operator/v1/devices/:kind/:id/positions: operator admin
GET /operator/v1/clock: operator read
GET /operator/v1/database: operator read
GET /operator/v1/service: operator read
GET /operator/v1/plans: operator read
GET /operator/v1/rate-plan-groups: operator read
POST /operator/v1/clock: operator clock
GET /operator/v1/scenarios/runs: operator read
POST /operator/v1/scenarios/runs: operator admin
POST /operator/v1/scenarios/runs/:runId/stop: operator admin
GET /operator/v1/snapshots: operator read
POST /operator/v1/snapshots: operator clock
POST /operator/v1/snapshots/:name/restore: operator admin
DELETE /operator/v1/snapshots/:name: operator admin
POST /operator/v1/reset: operator admin
GET /operator/v1/users: operator read
POST /operator/v1/users/:username/unlock: operator users
POST /operator/v1/users/:username/disable: operator users
POST /operator/v1/users/:username/enable: operator users
POST /operator/v1/users/:username/password: operator users
GET /operator/v1/clients: operator read
POST /operator/v1/clients/:clientId/rotate: operator users
POST /operator/v1/clients/:clientId/disable: operator users
POST /operator/v1/clients/:clientId/enable: operator users
GET /operator/v1/keys: operator admin
POST /operator/v1/keys: operator admin
DELETE /operator/v1/keys/:name: operator admin
GET /operator/v1/audit: operator read
GET /operator/v1/jobs: operator read
POST /operator/v1/jobs/:jobId/retry: operator admin
GET /operator/v1/actions: operator read
GET /operator/v1/requests: operator read
GET /operator/v1/requests/:id: operator read
PUT /operator/v1/requests/recording: operator admin
PUT /operator/v1/faults: operator clock
GET /operator/v1/faults: operator read
DELETE /operator/v1/faults: operator clock
POST /operator/v1/actions/pause: operator admin
POST /operator/v1/actions/resume: operator admin
POST /operator/v1/callbacks/pause: operator callbacks
POST /operator/v1/callbacks/resume: operator callbacks
GET /operator/v1/firings: operator read
POST /operator/v1/firings/:firingId/approve: operator admin
POST /operator/v1/firings/:firingId/reject: operator admin
POST /console/v1/sign-in: public
POST /console/v1/sign-out: viewer of console, read
GET /console/v1/session: viewer of console, read
GET /console/v1/accounts: viewer of console, read
GET /console/v1/accounts/:accountName/events: viewer of account in params, read
GET /console/v1/accounts/:accountName/devices: viewer of account in params, read
GET /console/v1/accounts/:accountName/devices/:deviceId: viewer of account in params, read
GET /console/v1/accounts/:accountName/devices/:deviceId/positions: viewer of account in params, read
GET /console/v1/accounts/:accountName/devices/:deviceId/history: viewer of account in params, read
GET /console/v1/accounts/:accountName/device-count: viewer of account in params, read
POST /console/v1/accounts/:accountName/devices/lines: viewer of account in params, read
POST /console/v1/accounts/:accountName/devices/labels: viewer of account in params, fleet
GET /console/v1/accounts/:accountName/positions: viewer of account in params, read
GET /console/v1/accounts/:accountName/position-cells: viewer of account in params, read
GET /console/v1/accounts/:accountName/billing: viewer of account in params, read
GET /console/v1/accounts/:accountName/billing/:month: viewer of account in params, read
GET /console/v1/accounts/:accountName/triggers/options: viewer of account in params, read
GET /console/v1/accounts/:accountName/approvals: viewer of account in params, read
GET /console/v1/accounts/:accountName/overview/usage: viewer of account in params, read
GET /console/v1/accounts/:accountName/overview/firings: viewer of account in params, read
GET /console/v1/accounts/:accountName/firings: viewer of account in params, read
GET /operator/v1/accounts/:accountName/services: operator read
GET /operator/v1/accounts/:accountName/statements/:serviceName/:month: operator read
`;

const routes = await listRoutes();

function describeAccess({ method, config = {} }: (typeof routes)[number]): string {
  const { access, cookie } = config;
  const byCookie = cookie === false ? '; no cookie' : `; operators by cookie: ${scopeFor(method, config)}`;
  if (access?.kind === 'account')
    return `account in ${access.at}${access.mayBeAbsent ? ', or the only one' : ''}${access.orOfDevice ? ', or that of the device' : ''}${access.orField ? `, or ${access.orField}` : ''}${byCookie}`;
  if (access?.kind === 'session') return `session${byCookie}`;
  if (access?.kind === 'viewer') return `viewer of ${access.of}, ${access.scope}`;
  if (access?.kind === 'operator') return `operator ${access.scope}${cookie === false ? byCookie : ''}`;
  return access?.kind ?? 'nobody knows';
}

describe('routes', () => {
  // proves 9/paths device-management/onboarding sessions/what-a-call-needs plans/short-path
  it('are exactly the listed ones, with the listed access', () =>
    assert.deepEqual(
      routes.map((route) => `${route.method} ${route.url}: ${describeAccess(route)}`).sort(),
      ROUTES.trim().split('\n').sort(),
    ));
});
