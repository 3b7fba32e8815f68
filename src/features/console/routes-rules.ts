import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { refuse } from '../../platform/context/fault.ts';
import { calledBy, viewerOfAccount } from '../../platform/http/access.ts';
import { textOf } from '../../platform/json/exact-json.ts';
import { listRuleVersions, type WireRecord } from '../device-management/index.ts';
import { findDevice } from '../devices/index.ts';
import { tryRule, WireComparison } from '../smart-alerts/index.ts';
import { consoleFaults } from './errors.ts';
import { AccountParams, NumberedPageQuery, next, ofAccount, Timestamp, TimestampOrNull } from './schemas.ts';

const State = Type.Union([
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    disabled: Type.Boolean(),
    syntax: Type.String(),
    chain: Type.String({ description: 'As JSON: numbers of 64 bits keep their digits' }),
  }),
  Type.Null(),
]);

const WireVersions = Type.Object({
  versions: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Timestamp,
      actorKind: Type.String(),
      actor: Type.String(),
      change: Type.Enum(['created', 'changed', 'imported']),
      before: State,
      after: State,
    }),
  ),
  next,
});

function toState(record: WireRecord | undefined) {
  if (record === undefined) return null;
  const text = (name: string) => textOf(record[name] ?? undefined) ?? '';
  return {
    name: text('name'),
    description: text('description'),
    disabled: record['disabled'] === true,
    syntax: text('rulesyntax'),
    chain: JSON.stringify(record['rulechain'] ?? {}, null, 2),
  };
}

const Trial = Type.Object({
  active: Type.Boolean({ description: 'Whether readings would be compared with it' }),
  reason: Type.Optional(Type.String({ description: 'Why not' })),
  holds: Type.Optional(
    Type.Boolean({ description: 'Absent where the last values of the device do not say' }),
  ),
  compared: Type.Array(WireComparison),
  at: TimestampOrNull,
  fields: Type.Array(Type.String(), { description: 'What the device has reported so far' }),
});

export const ruleRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/accounts/:accountName/devices/:deviceId/rule-trial',
    calledBy(
      viewerOfAccount(),
      {
        operationId: 'consoleTryRule',
        summary: 'What a rule would answer for the last values of the device, without writing it',
        params: Type.Object({
          ...AccountParams.properties,
          deviceId: Type.String({ pattern: UUID_PATTERN }),
        }),
        body: Type.Object({
          syntax: Type.String({ maxLength: 100 }),
          chain: Type.Unsafe<unknown>({ description: 'As `rulechain` of a rule' }),
        }),
        response: { 200: Trial },
      },
      { query: true },
    ),
    async ({ ctx, tenant, params: { deviceId }, body }) => {
      if ((await findDevice(ctx.db, { ...tenant, deviceId })) === undefined) refuse(consoleFaults.noDevice);
      const trial = await tryRule(ctx.db, { ...tenant, deviceId }, body);
      return { ...trial, compared: [...trial.compared], fields: [...trial.fields] };
    },
  );

  api.get(
    '/accounts/:accountName/rules/:ruleId/versions',
    ofAccount(
      'consoleListRuleVersions',
      'Who changed a rule when, and how it was before and after, newest first',
      WireVersions,
      {
        params: Type.Object({ ...AccountParams.properties, ruleId: Type.String({ pattern: UUID_PATTERN }) }),
        querystring: NumberedPageQuery,
      },
    ),
    async ({ ctx, tenant, params: { ruleId }, query: { page, limit = 100 } }) => {
      const before = page === undefined ? undefined : BigInt(page);
      const versions = await listRuleVersions(ctx, tenant, ruleId, { before, limit });
      const last = versions.at(-1);
      return {
        versions: versions.map(({ before: was, after: is, ...version }) => ({
          ...version,
          before: toState(was),
          after: toState(is),
        })),
        ...(last?.isFollowed && { next: last.id }),
      };
    },
  );
};
