import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { refuse } from '../../platform/context/fault.ts';
import { calledBy, operatorWith } from '../../platform/http/access.ts';
import { refuseUnknownMembers } from '../../platform/http/unknown-member.ts';
import { injectedFaults } from './errors.ts';
import type { FaultRules } from './fault-rule.ts';
import { Match, Rule, Then, WireRule } from './schemas.ts';

const RULES_MAX = 100;
const BODY_MAX_CHARS = 64 * 1024;

/** Refuses a rule without an effect or with two effects at once. */
function check(rule: Static<typeof Rule>, index: number): void {
  for (const [given, schema] of [
    [rule, Rule],
    [rule.match ?? {}, Match],
    [rule.then, Then],
  ] as const)
    refuseUnknownMembers(given, schema, injectedFaults.badRule);
  const { status, body, delayMs, drop, expireToken } = rule.then;
  const answers = status !== undefined || body !== undefined;
  const ends = [answers, drop !== undefined, expireToken === true].filter(Boolean).length;
  const wrong = (reason: string) => refuse(injectedFaults.badRule, { reason: `rule ${index}: ${reason}` });
  if (ends > 1) wrong('then may have only one of status with body, drop and expireToken');
  if (ends === 0 && delayMs === undefined) wrong('then has no effect');
  if (body !== undefined && status === undefined) wrong('a body needs a status');
  if (JSON.stringify(body ?? null).length > BODY_MAX_CHARS) wrong('its body is longer than 64 KiB');
}

/** Mounted at /operator/v1. Undefined outside the sandbox. */
export const faultRoutes =
  (rules: FaultRules | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    const rulesOrRefuse = () => rules ?? refuse(injectedFaults.sandboxOnly);
    const config = { access: operatorWith('clock') } as const;
    const response = { 200: Type.Array(WireRule) };

    api.put(
      '/faults',
      {
        config,
        schema: {
          operationId: 'operatorSetFaults',
          summary: 'Makes calls fail on purpose by these rules, which replace all earlier ones',
          body: Type.Array(Rule, { maxItems: RULES_MAX }),
          response,
        },
      },
      async ({ ctx, body }) => {
        const set = rulesOrRefuse();
        for (const [index, rule] of body.entries()) check(rule, index);
        set.set(
          body,
          ctx.chance.of(() => 'faults'),
        );
        return set.list();
      },
    );

    api.get(
      '/faults',
      calledBy(operatorWith('read'), {
        operationId: 'operatorListFaults',
        summary: 'Lists the rules by which calls fail on purpose, and how often each was applied',
        response,
      }),
      async () => rulesOrRefuse().list(),
    );

    api.delete(
      '/faults',
      {
        config,
        schema: {
          operationId: 'operatorClearFaults',
          summary: 'Removes the rules by which calls fail on purpose',
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
      },
      async () => {
        rulesOrRefuse().clear();
        return { success: true };
      },
    );
  };
