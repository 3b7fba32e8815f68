import { type CountedCalls, countAuditedCall, writeAudit } from '../../../platform/context/audit.ts';
import type { Ctx } from '../../../platform/context/context.ts';

interface Line {
  readonly day: string;
  readonly id: Promise<bigint>;
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
