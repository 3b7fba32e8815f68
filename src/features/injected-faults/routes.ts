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

/** A rule that does nothing, or two things at once, is a mistake. */
function check(rule: Static<typeof Rule>, place: number): void {
  for (const [given, schema] of [
    [rule, Rule],
    [rule.match ?? {}, Match],
    [rule.then, Then],
  ] as const)
    refuseUnknownMembers(given, schema, injectedFaults.badRule);
  const { status, body, delayMs, drop, expireToken } = rule.then;
  const answers = status !== undefined || body !== undefined;
  const ends = [answers, drop !== undefined, expireToken === true].filter(Boolean).length;
  const wrong = (reason: string) => refuse(injectedFaults.badRule, { reason: `rule ${place}: ${reason}` });
  if (ends > 1) wrong('then has one of status with body, drop and expireToken');
  if (ends === 0 && delayMs === undefined) wrong('then says nothing to do');
  if (body !== undefined && status === undefined) wrong('a body needs a status');
  if (JSON.stringify(body ?? null).length > BODY_MAX_CHARS) wrong('its body is longer than 64 KiB');
}

/** Mounted at /operator/v1. Undefined outside the sandbox. */
export const faultRoutes =
  (rules: FaultRules | undefined): FastifyPluginAsyncTypebox =>
  async (api) => {
    const rulesOrRefuse = () => rules ?? refuse(injectedFaults.sandboxOnly);
    const config = { access: operatorWith('clock'), injectable: false } as const;
    const response = { 200: Type.Array(WireRule) };

    api.put(
      '/faults',
      {
        config,
        schema: {
          operationId: 'operatorSetFaults',
          summary: 'Lets calls fail on purpose by these rules, in the place of all before',
          body: Type.Array(Rule, { maxItems: RULES_MAX }),
          response,
        },
      },
      async ({ ctx, body }) => {
        const set = rulesOrRefuse();
        for (const [place, rule] of body.entries()) check(rule, place);
        set.set(
          body,
          ctx.chance.of(() => 'faults'),
        );
        return set.list();
      },
    );

    api.get(
      '/faults',
      calledBy(
        operatorWith('read'),
        {
          operationId: 'operatorListFaults',
          summary: 'The rules by which calls fail on purpose, and how often each was used',
          response,
        },
        { ...config },
      ),
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
