import type { Act, ActionState, NewAction } from './action.ts';

interface PoolMove {
  readonly deviceCount: number;
  readonly fromPlan: string;
  readonly toPlan: string;
}

/** What is known about the consequences of a firing. */
export interface Outcome {
  /** Why nothing is done, or why it has not been done yet. */
  readonly undone?: string;
  readonly moved?: {
    readonly since: string;
    readonly bytes: number;
    readonly moves: readonly PoolMove[];
  };
}

/** An action of a firing that affects more than its own line, or that is skipped; as planned or as recorded. */
export type FiredAction = Act & {
  readonly firingId: string;
  readonly state: ActionState;
  readonly deviceCount: number;
  readonly reason: string | null;
};

export const plannedFor = (actions: readonly NewAction[]): readonly FiredAction[] =>
  actions.flatMap(({ wantedBy, act, state, deviceIds, reason = null }) =>
    wantedBy
      .filter(({ deviceId }) => deviceId === null || state === 'skipped')
      .map(({ firingId }) => ({ ...act, firingId, state, deviceCount: deviceIds.length, reason })),
  );

/** Nothing was done, or is not done yet. */
const UNDONE: ReadonlySet<ActionState> = new Set(['awaitingApproval', 'skipped', 'dropped', 'expired']);
const APPROVAL = 'it waits for approval';

function undoneBecause(actions: readonly FiredAction[]): string | undefined {
  if (actions.some(({ state }) => !UNDONE.has(state))) return undefined;
  const asked = actions.find(({ state }) => state === 'awaitingApproval');
  if (asked !== undefined) return `${asked.reason}: ${APPROVAL}.`;
  const reason = actions.at(0)?.reason;
  return reason == null ? undefined : `${reason}.`;
}

/** Lines of several accounts that move between the same plans are counted together. */
function movedBy(actions: readonly FiredAction[]): Outcome['moved'] {
  const pools = actions.flatMap(({ kind, params, state, deviceCount }) => {
    const isMade = !UNDONE.has(state);
    const [fromPlan] = params.planCodes;
    if (kind !== 'changePlan' || params.pool === undefined || fromPlan === undefined || !isMade) return [];
    return [{ fromPlan, toPlan: params.toPlan, deviceCount, ...params.pool }];
  });
  const [first] = pools;
  if (first === undefined) return undefined;
  const together = Map.groupBy(pools, ({ fromPlan, toPlan }) => `${fromPlan} ${toPlan}`);
  const moves = [...together.values()].map((same) => ({
    fromPlan: same[0]!.fromPlan,
    toPlan: same[0]!.toPlan,
    deviceCount: same.reduce((sum, { deviceCount }) => sum + deviceCount, 0),
  }));
  return { since: first.since, bytes: pools.reduce((sum, { bytes }) => sum + bytes, 0), moves };
}

/** The outcomes by firing. */
export const outcomesOf = (actions: readonly FiredAction[]): ReadonlyMap<string, Outcome> =>
  new Map(
    [...Map.groupBy(actions, ({ firingId }) => firingId)].map(([firingId, ofFiring]) => {
      const [undone, moved] = [undoneBecause(ofFiring), movedBy(ofFiring)];
      return [firingId, { ...(undone !== undefined && { undone }), ...(moved !== undefined && { moved }) }];
    }),
  );
