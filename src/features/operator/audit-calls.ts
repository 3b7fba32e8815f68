import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setAuditStatus, writeAudit } from '../../platform/audit.ts';

const entries = new WeakMap<FastifyRequest, bigint>();

/** Members of bodies and queries that say what a call is about; whatever is not named here could be a secret. */
const TARGETS = ['accountName', 'serviceName', 'name', 'requestId', 'advance', 'set', 'reset'] as const;
const DETAILS = [...TARGETS, 'scopes', 'atOnce'] as const;

/** The entry is written before validation: what was asked may be of any type and length. */
const TEXT_MAX = 128;
const LIST_MAX = 20;

function bounded(value: unknown): string | boolean | string[] | undefined {
  if (typeof value === 'string') return value.slice(0, TEXT_MAX);
  if (typeof value === 'boolean') return value;
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, LIST_MAX)
    .filter((one) => typeof one === 'string')
    .map((one) => one.slice(0, TEXT_MAX));
}

type Details = Partial<Record<(typeof DETAILS)[number], string | boolean | string[]>>;

function detailsOf({ query, body }: FastifyRequest): Details {
  // An import arrives as a stream that only its handler may read.
  const given = { ...(query as object), ...(body instanceof Readable ? {} : (body as object)) };
  return Object.fromEntries(
    DETAILS.flatMap((name) => {
      const value = Object.hasOwn(given, name)
        ? bounded((given as Record<string, unknown>)[name])
        : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A switch has no value worth reading: its name says what was asked. */
const targetIn = (details: Details): string =>
  TARGETS.flatMap((name) => {
    const value = details[name];
    if (value === true) return name;
    return typeof value === 'string' ? value : [];
  }).join(' ');

/** Written before the call acts: nothing the operator's side does can miss from the log, not even after a crash. */
export function auditCalls(
  api: FastifyInstance,
  isWorthIt: (request: FastifyRequest) => boolean = () => true,
): void {
  api.addHook('preValidation', async (request) => {
    if (request.operator === undefined || !isWorthIt(request)) return;
    const { schema } = request.routeOptions;
    const params = (request.params ?? {}) as Record<string, string>;
    const details = detailsOf(request);
    const accountName = params['accountName'] ?? details.accountName;
    const entry = await writeAudit(request.ctx, {
      actorKind: 'operator',
      actor: request.operator.keyName,
      action: (schema as { operationId?: string } | undefined)?.operationId ?? request.method,
      target: Object.values(params).join(' ') || targetIn(details) || undefined,
      accountName: typeof accountName === 'string' ? accountName : undefined,
      after: Object.keys(details).length === 0 ? undefined : details,
    });
    entries.set(request, entry);
  });
  api.addHook('onSend', async (request, reply) => {
    const entry = entries.get(request);
    // Once: where it fails, the refusal that tells so comes here again, and must get out.
    entries.delete(request);
    if (entry !== undefined) await setAuditStatus(request.ctx.db, entry, reply.statusCode);
  });
}
