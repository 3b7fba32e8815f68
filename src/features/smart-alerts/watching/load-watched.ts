import type { Ctx } from '../../../platform/context/context.ts';
import { listRulesOfDevices } from '../../device-management/index.ts';
import type { RuleShelf } from './rule-shelf.ts';
import { listStates } from './sql-state.ts';
import { UNTOUCHED } from './watch.ts';
import { type AlertEvent, CLEARED, type RuleState, type Watched } from './watched.ts';

export interface Loaded {
  readonly byDevice: ReadonlyMap<string, readonly Watched[]>;
  /** Alerts that earlier versions of the rules have left open. */
  readonly events: readonly AlertEvent[];
}

const closedByChange = (
  { rule }: Pick<Watched, 'rule'>,
  { alertId, watch }: RuleState,
  atMs: number,
): AlertEvent[] =>
  alertId === undefined
    ? []
    : [
        {
          to: 'cleared',
          alertId,
          ruleId: rule.ruleId,
          ruleName: rule.name,
          deviceId: rule.deviceId,
          accountName: rule.accountName,
          foreignId: rule.foreignId,
          cause: watch.open!,
          atMs,
          message: CLEARED.changed,
          reading: {},
        },
      ];

/** The rules that are evaluated on these devices, which the caller holds; a state of another version counts for nothing. */
export async function loadWatched(
  ctx: Ctx,
  ecpdId: string,
  deviceIds: readonly string[],
  shelf: RuleShelf,
): Promise<Loaded> {
  const rules = await listRulesOfDevices(ctx.db, ecpdId, deviceIds);
  const reads = await shelf.read(ctx.db, ecpdId, rules);
  const evaluable = rules.flatMap((rule, n) => {
    const read = reads[n];
    return read?.evaluable ? [{ rule, read }] : [];
  });
  const states = await listStates(
    ctx.db,
    ecpdId,
    evaluable.map(({ rule }) => rule.ruleId),
  );
  const nowMs = ctx.now().getTime();
  const events: AlertEvent[] = [];
  const watched = evaluable.map(({ rule, read }): Watched => {
    const state = states.get(rule.ruleId);
    if (state !== undefined && state.versionId === rule.versionId)
      return {
        rule,
        read,
        stored: state,
        outdated: false,
        sinceMs: state.sinceMs,
        watch: state.watch,
        alertId: state.alertId,
      };
    if (state !== undefined) events.push(...closedByChange({ rule }, state, nowMs));
    const outdated = state !== undefined;
    return { rule, read, stored: undefined, outdated, sinceMs: nowMs, watch: UNTOUCHED, alertId: undefined };
  });
  return { byDevice: Map.groupBy(watched, ({ rule }) => rule.deviceId), events };
}
