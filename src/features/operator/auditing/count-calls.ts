import { setAuditDetails, writeAudit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';

interface Line {
  readonly day: string;
  readonly id: Promise<bigint>;
  calls: number;
}

/**
 * For programs of the service itself, which call many times a minute: a line for each thing that they do and each day of
 * domain time says how often, and until when. It is written before the call acts, as any other.
 */
export function createCallCounter() {
  const lines = new Map<string, Line>();
  return async (ctx: Ctx, { actor, action }: { readonly actor: string; readonly action: string }) => {
    const until = ctx.now().toISOString();
    const day = until.slice(0, 'yyyy-mm-dd'.length);
    const key = `${actor} ${action}`;
    const known = lines.get(key);
    if (known?.day === day) {
      known.calls++;
      if (await setAuditDetails(ctx.db, await known.id, { calls: known.calls, until })) return;
    }
    const entry = { actorKind: 'system', actor, action, after: { calls: 1, until } } as const;
    const id = writeAudit(ctx, entry);
    lines.set(key, { day, id, calls: 1 });
    // A line that could not be written is no line to count in.
    id.catch(() => lines.delete(key));
    await id;
  };
}
