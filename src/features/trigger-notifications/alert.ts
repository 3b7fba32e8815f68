import {
  accountGroupShareAlert,
  type DeviceRef,
  type FiredTrigger,
  type PlanMoves,
  payAsYouGoAlert,
} from '../callback-payloads/index.ts';
import { type Callback, inSequence } from '../callbacks/index.ts';
import type { PayAsYouGo } from '../price-plan-triggers/index.ts';
import { consequence } from './consequence.ts';
import { type Facts, identifiersOf, lineKey } from './facts.ts';
import {
  allowanceOf,
  counterOwner,
  cycleTypeOf,
  isBelow,
  type NotifiedFiring,
  unitOf,
} from './notified-firing.ts';
import { cycleText, firedText } from './words.ts';

/** The variable parts of an alert, of which there is one for each level and account. */
interface AlertWords {
  readonly accountName: string;
  readonly message: string;
  /** Set for a summary: all its lines. */
  readonly deviceIds?: readonly DeviceRef[];
}

/** The consequence is stated when it fires, but not again later, when it may already have happened. */
export const messageOf = (firing: NotifiedFiring, facts: Facts, occasion?: string): string =>
  [
    occasion === undefined ? '' : `${occasion}. `,
    firing.late ? 'Late: ' : '',
    firing.cause === undefined ? '' : 'By a change of plan: ',
    `${firing.trigger.notifies.severity}: ${firedText(firing, facts)}; cycle ${cycleText(firing, facts)}.`,
    occasion === undefined ? ` ${consequence(firing, facts)}` : '',
  ].join('');

export const lineRefs = (firing: NotifiedFiring, { lines }: Facts): readonly DeviceRef[] => {
  const ids = counterOwner(firing.trigger.rule) === 'line' ? lines.get(lineKey(firing)) : undefined;
  return ids ? identifiersOf(ids).map(({ id, kind }) => ({ id, kind: kind.toUpperCase() })) : [];
};

const firedBy = ({ firingId, firedAt, trigger, cause }: NotifiedFiring, message: string): FiredTrigger => ({
  requestId: firingId,
  triggerId: trigger.triggerId,
  triggerName: trigger.triggerName,
  firedAt,
  message,
  ...(cause !== undefined && { cause }),
});

/** A whole number in the trigger's unit, rounded so that it stays on the counter's side of the threshold. */
function triggerValueOf(firing: NotifiedFiring): number {
  const { levelKind, after, level, threshold } = firing;
  if (levelKind === 'billCycles') return after;
  if (levelKind === 'percent') return Math.floor((after * level) / threshold);
  const inUnits = after / (unitOf(firing)?.bytes ?? 1);
  return isBelow(firing) ? Math.floor(inUnits) : Math.ceil(inUnits);
}

function payAsYouGo(firing: NotifiedFiring, rule: PayAsYouGo, facts: Facts, words: AlertWords): object {
  const { carrierServicePlanCode } = rule;
  const unit = unitOf(firing);
  const cycleType = cycleTypeOf(rule);
  return payAsYouGoAlert(firedBy(firing, words.message), {
    accountName: words.accountName,
    carrierServicePlanCode,
    servicePlanDescription: facts.planNames.get(carrierServicePlanCode) ?? carrierServicePlanCode,
    deviceIds: words.deviceIds ?? lineRefs(firing, facts),
    triggerValue: triggerValueOf(firing),
    ...(cycleType !== undefined && { cycleType }),
    threshold: unit === undefined ? firing.level : Math.round(firing.level / unit.bytes),
    ...(unit !== undefined && { thresholdUnit: unit.unit }),
  });
}

/** The plan moves of a pool's lines; undefined while they wait for approval. */
function changeOf(firing: NotifiedFiring, { outcomes, movedPlans }: Facts) {
  const { rule } = firing.trigger;
  const moved = outcomes.get(firing.firingId)?.moved;
  if (moved === undefined || rule.kind !== 'groupSharePool' || rule.action.type !== 'changePlan')
    return undefined;
  const wordsOf = (code: string) => movedPlans.get(code) ?? { carrierCode: code, name: code };
  const moves: PlanMoves = {
    effectiveDate: moved.since,
    bufferReduced: moved.bytes,
    devicePerPricePlan: moved.moves.map(({ deviceCount, fromPlan, toPlan }) => {
      const [from, to] = [wordsOf(fromPlan), wordsOf(toPlan)];
      return {
        deviceCount,
        fromCarrierServicePlanCode: from.carrierCode,
        fromServicePlanDescription: from.name,
        toCarrierServicePlanCode: to.carrierCode,
        toServicePlanDescription: to.name,
      };
    }),
  };
  const changePlanAutomation = rule.action.automation;
  return isBelow(firing)
    ? { changePlanAutomation, lessThan100Percentage: moves }
    : { changePlanAutomation, moreThan100Percentage: moves };
}

function groupShare(firing: NotifiedFiring, facts: Facts, words: AlertWords): object {
  const { rule } = firing.trigger;
  const changePlan = changeOf(firing, facts);
  if (rule.kind === 'payAsYouGo') throw new Error('the trigger is on no group share');
  return accountGroupShareAlert(firedBy(firing, words.message), {
    accountName: words.accountName,
    servicePlanGroupId: rule.ratePlanGroupId,
    allowance: allowanceOf(firing),
    ...(rule.kind === 'groupShareIndividual' && { deviceIds: words.deviceIds ?? lineRefs(firing, facts) }),
    ...(changePlan !== undefined && { action: { changePlan } }),
  });
}

/** The accounts to notify. For a joint counter, all its accounts with a listener; without any, the first keeps the callback. */
export function notifiedAccounts({ trigger: { rule }, accountName }: NotifiedFiring, facts: Facts) {
  const watched = counterOwner(rule);
  if (watched === 'line' || watched === 'account') return [accountName];
  const members =
    rule.kind === 'payAsYouGo' ? rule.accountNames : (facts.groupAccounts.get(rule.ratePlanGroupId) ?? []);
  const listening = members.filter((member) => facts.listening.has(member));
  return listening.length === 0 ? [accountName] : listening;
}

export function alertFor(firing: NotifiedFiring, facts: Facts, words: AlertWords): Callback {
  const { rule } = firing.trigger;
  return {
    accountName: words.accountName,
    serviceName: 'AlertService',
    requestId: firing.firingId,
    payload:
      rule.kind === 'payAsYouGo' ? payAsYouGo(firing, rule, facts, words) : groupShare(firing, facts, words),
  };
}

/** The callbacks of one firing, if its trigger sends any. */
export function alertsOf(firing: NotifiedFiring, facts: Facts, occasion?: string): Callback[] {
  if (!firing.trigger.notifies.callback) return [];
  const message = messageOf(firing, facts, occasion);
  return notifiedAccounts(firing, facts).map((accountName) =>
    alertFor(firing, facts, { accountName, message }),
  );
}

/**
 * The callbacks for the levels of each trigger and subject, in the order of the firings. Post them in one call, because
 * a listener gets the lowest level first.
 */
export function* alertsInSequence(
  firings: readonly NotifiedFiring[],
  facts: Facts,
  occasion?: string,
): Generator<readonly Callback[]> {
  const groups = Map.groupBy(firings, ({ triggerId, subject }) => `${triggerId} ${subject}`);
  for (const levels of groups.values()) {
    const alerts = levels.flatMap((firing) => alertsOf(firing, facts, occasion));
    yield levels.length > 1 ? inSequence(alerts) : alerts;
  }
}
