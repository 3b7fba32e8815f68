import type { Ctx } from '../../../platform/context/context.ts';
import type { PricePlanFiring } from '../evaluation/fire.ts';
import { type Act, approvableTo, type NewAction, SKIPPED } from './action.ts';
import type { Chain } from './chain.ts';

/** What one firing does in one account. */
export interface Share {
  readonly firing: PricePlanFiring;
  readonly accountName: string;
  readonly act: Act;
  /** The firing's own line; without one all that are listed. */
  readonly deviceId: string | undefined;
  readonly deviceIds: readonly string[];
}

/** Firings of one trigger that ask the same of lines of one account become one action; wide ones stay by themselves. */
export function toActions(
  ctx: Ctx,
  shares: readonly Share[],
  idleBecause: (share: Share) => string | undefined,
  { devicesMax, chain }: { readonly devicesMax: number; readonly chain: Chain | undefined },
): readonly NewAction[] {
  const touched = new Map<string, number>();
  for (const { firing, deviceIds } of shares)
    touched.set(firing.firingId, (touched.get(firing.firingId) ?? 0) + deviceIds.length);
  const together = Map.groupBy(shares, (share) => {
    const { firing, accountName, act, deviceId } = share;
    const own = deviceId === undefined ? firing.firingId : '';
    return JSON.stringify([firing.triggerId, accountName, act, idleBecause(share) ?? '', own]);
  });
  return [...together.values()].map((same): NewAction => {
    const { firing, accountName, act } = same[0]!;
    const deviceIds = [...new Set(same.flatMap((share) => share.deviceIds))];
    const idle = idleBecause(same[0]!) ?? (deviceIds.length === 0 ? SKIPPED.noLine : undefined);
    const count = touched.get(firing.firingId)!;
    const isTooWide = count > devicesMax;
    return {
      actionId: ctx.newId(),
      triggerId: firing.triggerId,
      accountName,
      act,
      deviceIds,
      state: idle !== undefined ? 'skipped' : isTooWide ? 'awaitingApproval' : 'waiting',
      reason: idle ?? (isTooWide ? `It would touch ${count} devices, more than ${devicesMax}` : undefined),
      approvableTo: approvableTo(firing),
      chainId: chain?.chainId ?? null,
      askedBy: same.map((share) => ({ firingId: share.firing.firingId, deviceId: share.deviceId ?? null })),
    };
  });
}
