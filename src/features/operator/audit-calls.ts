import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setAuditStatus, writeAudit } from '../../platform/audit.ts';

const entries = new WeakMap<FastifyRequest, bigint>();

/** The account a call is about, where it names one in its path. */
const accountOf = ({ params }: FastifyRequest): string | undefined =>
  (params as { accountName?: string } | undefined)?.accountName;

/** Written before the call acts: nothing the operator's side does can miss from the log, not even after a crash. */
export function auditCalls(api: FastifyInstance): void {
  api.addHook('preValidation', async (request) => {
    if (request.operator === undefined) return;
    const { schema } = request.routeOptions;
    const entry = await writeAudit(request.ctx, {
      actorKind: 'operator',
      actor: request.operator.keyName,
      action: (schema as { operationId?: string } | undefined)?.operationId ?? request.method,
      target:
        Object.values((request.params as Record<string, string> | undefined) ?? {}).join(' ') || undefined,
      accountName: accountOf(request),
    });
    entries.set(request, entry);
  });
  api.addHook('onSend', async (request, reply) => {
    const entry = entries.get(request);
    if (entry !== undefined) await setAuditStatus(request.ctx.db, entry, reply.statusCode);
  });
}
