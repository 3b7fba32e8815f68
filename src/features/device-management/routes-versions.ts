import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { next } from '../../platform/http/page-place.ts';
import { textOf } from '../../platform/json/exact-json.ts';
import { listRuleVersions } from './querying/list-rule-versions.ts';
import { AccountName, FreeForm } from './querying/schemas.ts';
import type { WireRecord } from './querying/wire.ts';

const PAGE_MAX = 200;

const State = Type.Union([
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    disabled: Type.Boolean(),
    rulesyntax: Type.String(),
    rulechain: FreeForm,
  }),
  Type.Null(),
]);

const WireVersions = Type.Object({
  versions: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
      actorkind: Type.String(),
      actor: Type.String(),
      change: Type.Enum(['created', 'changed', 'imported']),
      before: { ...State, description: 'Null if the rule was new' },
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
    rulesyntax: text('rulesyntax'),
    rulechain: (record['rulechain'] ?? {}) as Readonly<Record<string, unknown>>,
  };
}

export const routesForVersions: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/rules/:ruleId/versions',
    calledBy(accountIn('params'), {
      operationId: 'listRuleVersions',
      summary: 'Who changed a rule and when, with the rule before and after, newest first',
      description: 'Goes back as far as the audit log. The last version of a deleted rule is listed too.',
      params: Type.Object({ accountName: AccountName, ruleId: Type.String({ pattern: UUID_PATTERN }) }),
      querystring: Type.Object({
        page: Type.Optional(
          Type.String({ pattern: '^[0-9]{1,18}$', description: 'The `next` of the previous page' }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 })),
      }),
      response: { 200: WireVersions },
    }),
    async ({ ctx, tenant, params: { ruleId }, query: { page, limit = 100 } }) => {
      const before = page === undefined ? undefined : BigInt(page);
      const versions = await listRuleVersions(ctx, tenant, ruleId, { before, limit });
      const last = versions.at(-1);
      return {
        // The serializer of this area follows no schema: only what is named here is answered.
        versions: versions.map(({ id, at, actorKind, actor, change, ...states }) => ({
          ...{ id, at, actorkind: actorKind, actor, change },
          before: toState(states.before),
          after: toState(states.after),
        })),
        ...(last?.isFollowed && { next: last.id }),
      };
    },
  );
};
