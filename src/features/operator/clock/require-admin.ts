import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { refuse } from '../../../platform/context/fault.ts';
import { hasScope, scopeMissing } from '../../../platform/http/access.ts';
import type { MoveBody } from './move-clock.ts';

/** Whoever may move the clock may not for that reason lose everything: a reset empties the sandbox. */
export async function requireAdminToReset({ body, operator }: FastifyRequest): Promise<void> {
  const { reset } = body as Static<typeof MoveBody>;
  if (reset === true && !hasScope(operator, 'admin')) refuse(scopeMissing, { reason: 'admin is needed' });
}
