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
import { hideInAddresses } from '../../platform/telemetry/secrets.ts';

const entries = new WeakMap<FastifyRequest, AuditKey>();

/** Members of bodies and queries that identify what a call concerns. Other members may be secrets and are left out. */
const TARGETS = ['accountName', 'serviceName', 'name', 'requestId', 'advance', 'set', 'reset'] as const;
const DETAILS = [...TARGETS, 'scopes', 'atOnce'] as const;

/** The entry is written before validation, so values can have any type and length. */
const TEXT_MAX = 128;
const READ_MAX = 8 * TEXT_MAX;
const LIST_MAX = 20;

/** Cut only after secrets are hidden: half of an address would not be known as one. */
const shown = (text: string): string =>
  hideInAddresses(text.slice(0, READ_MAX), '[hidden]').slice(0, TEXT_MAX);

function bounded(value: unknown): string | boolean | string[] | undefined {
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'boolean') return value;
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, LIST_MAX)
    .filter((one) => typeof one === 'string')
    .map(shown);
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

/** A switch is shown by its name, because its value is always true. */
const targetIn = (details: Details): string =>
  TARGETS.flatMap((name) => {
    const value = details[name];
    if (value === true) return name;
    return typeof value === 'string' ? value : [];
  }).join(' ');

/** A prefix distinguishes calls of the interface from the changes they make, which have the same names. */
function actionOf({ routeOptions: { schema, config }, method }: FastifyRequest): string {
  const name = (schema as { operationId?: string } | undefined)?.operationId ?? method;
  const isOfInterface = config.access?.kind === 'session' || config.access?.kind === 'account';
  return isOfInterface ? `console${name[0]?.toUpperCase()}${name.slice(1)}` : name;
}

function entryOf(request: FastifyRequest): AuditEntry {
  const params = (request.params ?? {}) as Record<string, string>;
  const details = detailsOf(request);
  const { tenant, injected } = request as { tenant?: Tenant; injected?: { readonly body?: unknown } };
  // Its status may be made up. The made-up body can be long.
  const after = { ...details, ...(injected !== undefined && { injected: { ...injected, body: undefined } }) };
  const accountName = tenant?.accountName ?? params['accountName'] ?? details.accountName;
  return {
    action: actionOf(request),
    target: Object.values(params).map(shown).join(' ') || targetIn(details) || undefined,
    accountName: typeof accountName === 'string' ? shown(accountName) : undefined,
    after: Object.keys(after).length === 0 ? undefined : after,
  };
}

/**
 * Console pages and the service's own programs read all the time. Of their calls, only changes are audited, and those that a
 * rule of the sandbox affects.
 */
const isAudited = ({
  operator,
  viewer,
  method,
  routeOptions: { config },
  injected,
}: FastifyRequest): boolean =>
  operator !== undefined &&
  config.audited !== false &&
  ((viewer === undefined && !operator.isOwnProgram) ||
    !changesNothing(method, config) ||
    injected !== undefined);

/** The entry is written before the call acts, so every operator call is in the log, even after a crash. */
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
      else if (operator?.isOwnProgram && status >= 400) await countCall(ctx, actionOf(request), status);
    } catch (error) {
      // The call is done and its entry exists, so the caller must still get its answer.
      ctx.log.warn({ err: error }, 'the status of an operator call is missing in the audit log');
    }
  });
}

/** For a call that has replaced the database that contained its entry. */
export async function auditAnew(request: FastifyRequest): Promise<void> {
  if (entries.has(request)) entries.set(request, await writeAudit(request.ctx, entryOf(request)));
}

/**
 * For the service's own programs, which call many times a minute, and thousands of times when the clock moves by a month. One
 * line per action counts the calls since the process started and has the time of the last. Another line per action and error
 * status counts refusals. The line is written before the call acts, like any other.
 */
export function createCallCounter() {
  const lines = new Map<string, Promise<AuditKey>>();
  return async (ctx: Ctx, action: string, status?: number) => {
    const until = ctx.now().toISOString();
    const key = `${ctx.actor.name} ${action} ${status ?? ''}`;
    const known = lines.get(key);
    if (known !== undefined && (await countAuditedCall(ctx.db, await known, until))) return;
    const after: CountedCalls = { calls: 1, until };
    const id = writeAudit(ctx, { action, status, after });
    lines.set(key, id);
    // The next call must not count in a line that could not be written.
    id.catch(() => lines.delete(key));
    await id;
  };
}
