import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listAccounts } from '../../accounts/index.ts';
import { listRulesOfDevices } from '../../device-management/index.ts';
import { listDevices } from '../../devices/index.ts';
import type { LineNetwork } from '../../network/index.ts';
import { erasePositionsOfAll } from '../erase.ts';
import { findNamedAccount, PAGE_KEYS, paged, pageKey, withScope } from '../route.ts';
import { AccountParams, Done, ListedDevice, PageQuery, WireAccount } from '../schemas.ts';
import { deleteWholeAccount } from './delete-account.ts';

export const accountRoutes =
  (network: LineNetwork | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/accounts',
      withScope('read', {
        operationId: 'operatorListAccounts',
        summary: 'Lists accounts in the order of their names',
        querystring: Type.Object({
          ...PageQuery.properties,
          ecpdId: Type.Optional(Type.String()),
          search: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'A part of the name of an account or of its organization, or the whole ecpdId',
            }),
          ),
        }),
        response: { 200: Type.Array(WireAccount) },
      }),
      async ({ ctx, query: { page, limit = 100, ecpdId, search } }, reply) =>
        paged(
          reply,
          await listAccounts(ctx.db, {
            after: pageKey(page, PAGE_KEYS.accountName) ?? '',
            ecpdId,
            search,
            limit,
          }),
          limit,
          (row) => row.accountName,
        ),
    );

    api.get(
      '/accounts/:accountName',
      withScope('read', {
        operationId: 'operatorReadAccount',
        summary: 'Reads an account',
        params: AccountParams,
        response: { 200: WireAccount },
      }),
      ({ ctx, params }) => findNamedAccount(ctx, params.accountName),
    );

    api.get(
      '/accounts/:accountName/devices',
      withScope(
        'read',
        {
          operationId: 'operatorListDevices',
          summary: 'Lists the devices of an account',
          params: AccountParams,
          querystring: Type.Object({ ...PageQuery.properties, state: Type.Optional(Type.String()) }),
          response: { 200: Type.Array(ListedDevice) },
        },
        { reads: 'replica' },
      ),
      async ({ ctx, params, query: { page, limit = 100, state } }, reply) => {
        const tenant = await findNamedAccount(ctx, params.accountName);
        const after = pageKey(page, PAGE_KEYS.uuid);
        const rows = await listDevices(ctx.db, tenant, { after, state, limit });
        const ids = rows.map(({ record }) => record.id);
        const rules = await listRulesOfDevices(ctx.db, tenant.ecpdId, ids);
        const ruled = new Set(rules.map(({ deviceId }) => deviceId));
        const listed = rows.map((row) => ({ ...row, hasRules: ruled.has(row.record.id) }));
        return paged(reply, listed, limit, ({ record }) => record.id);
      },
    );

    api.delete(
      '/accounts/:accountName',
      withScope('admin', {
        operationId: 'operatorDeleteAccount',
        summary: 'Deletes an account with everything that belongs to it',
        params: AccountParams,
        response: { 200: Done },
      }),
      async ({ ctx, params }) => {
        const account = await findNamedAccount(ctx, params.accountName, { closed: true });
        await deleteWholeAccount(ctx, account, network);
        return { success: true };
      },
    );

    api.delete(
      '/accounts/:accountName/positions',
      withScope('admin', {
        operationId: 'operatorErasePositionsOfAccount',
        summary: 'Erases all coordinates of the devices of an account',
        params: AccountParams,
        response: { 200: Type.Object({ erased: Type.Integer() }) },
      }),
      async ({ ctx, params }) => {
        const tenant = await findNamedAccount(ctx, params.accountName);
        return { erased: await erasePositionsOfAll(ctx, tenant) };
      },
    );
  };
