import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { acknowledgeAlerts, queryAlerts } from '../../../smart-alerts/index.ts';
import { AccountParams, Done } from '../../schemas.ts';
import { principalFor } from '../../session/viewed-accounts.ts';
import * as schemas from './schemas.ts';

export const alertRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/smart-alerts',
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleListSmartAlerts',
        summary: 'Smart alerts that rules have raised, newest first',
        params: AccountParams,
        querystring: schemas.AlertQuery,
        response: { 200: schemas.WireAlertPage },
      },
    },
    async ({ ctx, tenant, dialect, query: { page, limit = 100, state, deviceId } }) => {
      const asked = {
        accountname: tenant.accountName,
        ...(deviceId !== undefined && { resourceidentifier: { deviceid: deviceId } }),
        filter: {
          $limitnumber: limit,
          ...(page !== undefined && { $page: page }),
          ...(state !== undefined && { $selection: { state } }),
        },
      };
      const { alerts, next } = await queryAlerts(ctx, tenant, asked, dialect.faults.invalid);
      return { alerts: [...alerts], ...(next !== undefined && { next }) };
    },
  );

  api.post(
    '/accounts/:accountName/smart-alerts/acknowledge',
    {
      config: { access: viewerOfAccount('fleet') },
      schema: {
        operationId: 'consoleAcknowledgeSmartAlerts',
        summary: 'Notes who has seen smart alerts, or takes that back: all of them or none',
        params: AccountParams,
        body: schemas.AcknowledgeBody,
        response: { 200: Done },
      },
    },
    async ({ ctx, viewer, tenant, body: { ids, acknowledged } }) => {
      const { username: by } = principalFor(viewer, tenant);
      await acknowledgeAlerts(ctx, tenant, { alertIds: ids, acknowledged, by });
      return { success: true };
    },
  );
};
