import type { Ctx } from '../../platform/context/context.ts';
import { listRulesOfDevices } from '../device-management/index.ts';
import { type ActiveRule, type AlertEvent, CLEARED, ofRule, UNTOUCHED } from './progress.ts';
import type { RuleCache } from './rule-cache.ts';
import { holdAccounts, holdDevices, holdFreeDevices, type KnownDevice } from './sql-reading.ts';
import { listStates } from './sql-state.ts';

interface Loaded {
  readonly byDevice: ReadonlyMap<string, readonly ActiveRule[]>;
  /** Alerts that earlier versions of the rules have left open. */
  readonly events: readonly AlertEvent[];
}

/** The rules evaluated on these devices, which the caller has locked. State of another rule version is ignored. */
async function loadRules(
  ctx: Ctx,
  ecpdId: string,
  deviceIds: readonly string[],
  cache: RuleCache,
): Promise<Loaded> {
  const stamped = await listRulesOfDevices(ctx.db, ecpdId, deviceIds);
  const known = await cache.read(ctx.db, ecpdId, stamped);
  const evaluable = known.flatMap((one) => (one?.read.evaluable ? [{ rule: one.rule, read: one.read }] : []));
  const states = await listStates(
    ctx.db,
    ecpdId,
    evaluable.map(({ rule }) => rule.ruleId),
  );
  const nowMs = ctx.now().getTime();
  const events: AlertEvent[] = [];
  const active = evaluable.map(({ rule, read }): ActiveRule => {
    const state = states.get(rule.ruleId);
    if (state !== undefined && state.versionId === rule.versionId)
      return {
        rule,
        read,
        stored: state,
        outdated: false,
        sinceMs: state.sinceMs,
        progress: state.progress,
        alertId: state.alertId,
      };
    if (state?.alertId !== undefined)
      events.push({
        ...ofRule(rule),
        to: 'cleared',
        alertId: state.alertId,
        cause: state.progress.open!,
        atMs: nowMs,
        message: CLEARED.changed,
        reading: {},
      });
    const outdated = state !== undefined;
    return {
      rule,
      read,
      stored: undefined,
      outdated,
      sinceMs: nowMs,
      progress: UNTOUCHED,
      alertId: undefined,
    };
  });
  return { byDevice: Map.groupBy(active, ({ rule }) => rule.deviceId), events };
}

/**
 * Locks the devices and their accounts until the transaction ends, and loads the rules evaluated on them. With
 * `onlyFree`, skips devices that another transaction has locked.
 */
export async function holdRules(
  ctx: Ctx,
  ecpdId: string,
  of: readonly { readonly accountName: string; readonly deviceId: string }[],
  { cache, onlyFree = false }: { readonly cache: RuleCache; readonly onlyFree?: boolean },
): Promise<Loaded & { readonly held: readonly KnownDevice[] }> {
  const { db } = ctx;
  const accountNames = of.map(({ accountName }) => accountName);
  await holdAccounts(db, ecpdId, accountNames);
  const deviceIds = [...new Set(of.map(({ deviceId }) => deviceId))];
  const held = await (onlyFree ? holdFreeDevices : holdDevices)(db, ecpdId, deviceIds);
  if (held.length === 0) return { held, byDevice: new Map(), events: [] };
  const ids = held.map(({ deviceId }) => deviceId);
  return { held, ...(await loadRules(ctx, ecpdId, ids, cache)) };
}
