import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AuditEntry,
  type AuditKey,
  type CountedCalls,
  countAuditedCall,
  setAuditStatus,
  writeAudit,
} from '../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { changesNothing } from '../../platform/http/own-pages.ts';

const entries = new WeakMap<FastifyRequest, AuditKey>();

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

/** Calls of the interface are told from the changes they make, which have the same names. */
function actionOf({ routeOptions: { schema, config }, method }: FastifyRequest): string {
  const name = (schema as { operationId?: string } | undefined)?.operationId ?? method;
  const isOfInterface = config.access?.kind === 'session' || config.access?.kind === 'account';
  return isOfInterface ? `console${name[0]?.toUpperCase()}${name.slice(1)}` : name;
}

function entryOf(request: FastifyRequest): AuditEntry {
  const params = (request.params ?? {}) as Record<string, string>;
  const details = detailsOf(request);
  const tenant = request.tenant as Tenant | undefined;
  const accountName = tenant?.accountName ?? params['accountName'] ?? details.accountName;
  return {
    action: actionOf(request),
    target: Object.values(params).join(' ') || targetIn(details) || undefined,
    accountName: typeof accountName === 'string' ? accountName : undefined,
    after: Object.keys(details).length === 0 ? undefined : details,
  };
}

/** A page of the console that is open reads all the time: of what comes by its cookie only changes are written down. */
const isAudited = ({ operator, viewer, method, routeOptions: { config } }: FastifyRequest): boolean =>
  operator !== undefined && (viewer === undefined || !changesNothing(method, config));

/** Written before the call acts: nothing the operator's side does can miss from the log, not even after a crash. */
export function auditCalls(api: FastifyInstance): void {
  const countCall = createCallCounter();
  api.addHook('preValidation', async (request) => {
    const { operator } = request;
    if (!isAudited(request)) return;
    if (operator.isOwnProgram) return countCall(request.ctx, actionOf(request));
    entries.set(request, await writeAudit(request.ctx, entryOf(request)));
  });
  api.addHook('onSend', async (request, reply) => {
    const { operator, ctx } = request;
    const { statusCode: status } = reply;
    const entry = entries.get(request);
    try {
      if (entry !== undefined) await setAuditStatus(ctx.db, entry, status);
      // What is counted is what went well: a refusal is worth a line whoever gets it.
      else if (operator?.isOwnProgram && status >= 400)
        await writeAudit(ctx, { ...entryOf(request), status });
    } catch (error) {
      // What the call did is done, and its entry is there: who called must hear that, in the words of the area.
      ctx.log.warn({ err: error }, 'the status of an operator call is missing in the audit log');
    }
  });
}

interface Line {
  readonly day: string;
  readonly id: Promise<AuditKey>;
}

/**
 * For programs of the service itself, which call many times a minute: a line for each thing that they do and each day of
 * domain time says how often, and until when. It is written before the call acts, as any other.
 */
export function createCallCounter() {
  const lines = new Map<string, Line>();
  return async (ctx: Ctx, action: string) => {
    const until = ctx.now().toISOString();
    const day = until.slice(0, 'yyyy-mm-dd'.length);
    const key = `${ctx.actor.name} ${action}`;
    const known = lines.get(key);
    if (known?.day === day && (await countAuditedCall(ctx.db, await known.id, until))) return;
    const after: CountedCalls = { calls: 1, until };
    const id = writeAudit(ctx, { action, after });
    lines.set(key, { day, id });
    // A line that could not be written is no line to count in.
    id.catch(() => lines.delete(key));
    await id;
  };
}
