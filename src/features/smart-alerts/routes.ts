import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { parseEveryBodyExactly } from '../../platform/http/json-body.ts';
import { findOneDevice, parseProjection } from '../device-management/index.ts';
import { acknowledgeAlerts } from './acknowledge-alerts.ts';
import { countMatching, project, queryAlerts, toWireAlerts } from './query-alerts.ts';
import * as schemas from './schemas.ts';
import { tryRule } from './try-rule.ts';

const inBody = accountIn('body', { field: 'accountname' });

/** Mounted at /dm/v1. */
export const smartAlertRoutes: FastifyPluginAsyncTypebox = async (api) => {
  parseEveryBodyExactly(api);
  api.post(
    '/smartAlerts/actions/query',
    calledBy(
      inBody,
      {
        operationId: 'querySmartAlerts',
        summary: 'Smart alerts raised by rules, newest first; X-Next is the $page of the next page',
        body: schemas.QueryBody,
        response: { 200: schemas.WireAlerts },
      },
      { query: true, reads: 'replica' },
    ),
    async ({ ctx, tenant, body, dialect }, reply) => {
      const wanted = parseProjection(body.filter?.$projection);
      const { alerts, next } = await queryAlerts(ctx, tenant, body, dialect.faults.invalid);
      if (next !== undefined) reply.header('x-next', next);
      return alerts.map((alert) => project(alert, wanted));
    },
  );

  api.patch(
    '/smartAlerts',
    calledBy(inBody, {
      operationId: 'acknowledgeSmartAlert',
      summary: 'Acknowledges a smart alert, or takes the acknowledgement back; its state does not change',
      body: schemas.AcknowledgeBody,
      response: { 200: schemas.WireAlert },
    }),
    async ({ ctx, tenant, principal, body, dialect }) => {
      const id = body.id ?? body.resourceidentifier?.id;
      if (id === undefined) return refuse(dialect.faults.invalid, { reason: 'id is missing', cause: 'id' });
      const alerts = await acknowledgeAlerts(ctx, tenant, {
        alertIds: [id],
        acknowledged: body.acknowledged ?? body.smartalert?.acknowledged ?? true,
        by: principal.username,
        versionIds: [body.versionid, body.smartalert?.versionid],
      });
      return (await toWireAlerts(ctx, tenant, alerts))[0]!;
    },
  );

  api.post(
    '/smartAlerts/actions/bulkupdate',
    calledBy(inBody, {
      operationId: 'acknowledgeSmartAlerts',
      summary: 'Acknowledges several smart alerts, or takes the acknowledgements back: all of them or none',
      body: schemas.BulkBody,
      response: { 200: Type.Array(schemas.WireAlert) },
    }),
    async ({ ctx, tenant, principal, body }) =>
      toWireAlerts(
        ctx,
        tenant,
        await acknowledgeAlerts(ctx, tenant, {
          alertIds: body.ids,
          acknowledged: body.acknowledged ?? true,
          by: principal.username,
        }),
      ),
  );

  api.post(
    '/smartAlerts/actions/metrics',
    calledBy(
      inBody,
      {
        operationId: 'countSmartAlerts',
        summary: 'Counts smart alerts by state: all, or those that a query would return',
        body: schemas.QueryBody,
        response: { 200: schemas.WireMetrics },
      },
      { query: true, reads: 'replica' },
    ),
    ({ ctx, tenant, body }) => countMatching(ctx, tenant, body),
  );

  api.post(
    '/rules/actions/try',
    calledBy(
      inBody,
      {
        operationId: 'tryRule',
        summary: 'Whether a rule would hold for the last readings of a device, without writing it',
        description:
          'Takes the body that writes a new rule. Answers the fields that the rule compares, with their limits and last ' +
          'values, and why readings would not be compared with it at all.',
        body: schemas.TrialBody,
        response: { 200: schemas.WireTrial },
      },
      { query: true },
    ),
    async ({ ctx, tenant, body: { resourceidentifier, rule } }) => {
      const { deviceid, rulesyntax, rulechain } = rule;
      const device = await findOneDevice(
        ctx.db,
        tenant,
        deviceid === undefined ? resourceidentifier : { deviceid },
      );
      const trial = await tryRule(ctx.db, { ...tenant, deviceId: device.id }, { rulesyntax, rulechain });
      return { ...trial, compared: [...trial.compared], fields: [...trial.fields] };
    },
  );
};
