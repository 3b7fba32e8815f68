import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { FaultKind } from '../../../../platform/context/fault.ts';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { deleteRule, listRuleVersions, putRule, queryRecords } from '../../../device-management/index.ts';
import { AccountParams, Done } from '../../schemas.ts';
import { readDocument } from './read-document.ts';
import * as schemas from './schemas.ts';
import { toRule, toRuleVersion } from './wire.ts';

const RULE = '/accounts/:accountName/rules/:ruleId';

const fieldsOf = (
  { name, description, disabled, syntax, chain }: Omit<Static<typeof schemas.RuleBody>, 'versionId'>,
  invalid: FaultKind,
) => ({
  name,
  description,
  disabled,
  rulesyntax: syntax,
  rulechain: readDocument(chain, 'chain', invalid),
});

export const ruleRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const changing = viewerOfAccount('fleet');

  api.get(
    '/accounts/:accountName/records/:kind/:recordId/rules',
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleListRules',
        summary: 'Rules of a device, each with whether readings are compared with it',
        params: schemas.RecordParams,
        querystring: Type.Object(schemas.SealedPage),
        response: { 200: schemas.WireRules },
      },
    },
    async ({ ctx, tenant, params: { recordId }, query: { page, limit = 100 } }) => {
      const { records, next } = await queryRecords(ctx, tenant, 'rule', {
        accountname: tenant.accountName,
        resourceidentifier: { deviceid: recordId },
        filter: { $limitnumber: limit, ...(page !== undefined && { $page: page }) },
      });
      return { rules: records.map(toRule), ...(next !== undefined && { next }) };
    },
  );

  api.post(
    '/accounts/:accountName/rules',
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleCreateRule',
        summary: 'A new rule on a device; the answer says whether readings are compared with it',
        params: AccountParams,
        body: schemas.NewRuleBody,
        response: { 200: schemas.WireRule },
      },
    },
    async ({ ctx, tenant, body: { deviceId, ...rule }, dialect }) => {
      const fields = { ...fieldsOf(rule, dialect.faults.invalid), deviceid: deviceId };
      return toRule(await putRule(ctx, tenant, { accountname: tenant.accountName, rule: fields }));
    },
  );

  api.get(
    `${RULE}/versions`,
    {
      config: { access: viewerOfAccount() },
      schema: {
        operationId: 'consoleListRuleVersions',
        summary: 'Who changed a rule when, and how it was before and after, newest first',
        params: schemas.RuleParams,
        querystring: Type.Object({
          page: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
          limit: schemas.SealedPage.limit,
        }),
        response: { 200: schemas.WireRuleVersions },
      },
    },
    async ({ ctx, tenant, params: { ruleId }, query: { page, limit = 100 } }) => {
      const before = page === undefined ? undefined : BigInt(page);
      const versions = await listRuleVersions(ctx, tenant, ruleId, { before, limit });
      const last = versions.at(-1);
      return {
        versions: versions.map(toRuleVersion),
        ...(last?.isFollowed && { next: last.id }),
      };
    },
  );

  api.put(
    RULE,
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleChangeRule',
        summary: 'Replaces a whole rule; the answer says whether readings are compared with it',
        params: schemas.RuleParams,
        body: schemas.RuleBody,
        response: { 200: schemas.WireRule },
      },
    },
    async ({ ctx, tenant, params, body: { versionId, ...rule }, dialect }) =>
      toRule(
        await putRule(ctx, tenant, {
          accountname: tenant.accountName,
          resourceidentifier: { id: params.ruleId },
          ...(versionId !== undefined && { versionid: versionId }),
          rule: fieldsOf(rule, dialect.faults.invalid),
        }),
      ),
  );

  api.delete(
    RULE,
    {
      config: { access: changing },
      schema: {
        operationId: 'consoleDeleteRule',
        summary: 'Removes a rule; alerts that it has raised stay on record',
        params: schemas.RuleParams,
        response: { 200: Done },
      },
    },
    async ({ ctx, tenant, params: { ruleId } }) => {
      await deleteRule(ctx, tenant, { accountname: tenant.accountName, id: ruleId });
      return { success: true };
    },
  );
};
