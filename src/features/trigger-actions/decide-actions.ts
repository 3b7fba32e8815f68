import type {
  GroupShareIndividual,
  GroupSharePool,
  PayAsYouGo,
  PoolMoves,
  PricePlanFiring,
  Rule,
} from '../price-plan-triggers/index.ts';
import type { Act } from './action.ts';
import type { Direction } from './decide-pool-moves.ts';

/** What a rule's codes stand for now, and the plan on which a line was counted. */
export interface Codes {
  /** The plans that a carrier's code stands for. */
  readonly plansOf: (carrierCode: string) => readonly string[];
  readonly planOf: (deviceId: string) => string | undefined;
}

/** What a firing does in an account: to its own line, or to all active lines on the plans. */
interface Decision {
  readonly accountName: string;
  readonly act: Act;
  readonly deviceId: string | undefined;
}

type Fired = Pick<PricePlanFiring, 'accountName' | 'subject' | 'level' | 'levelKind'>;

function ofPayAsYouGo(rule: PayAsYouGo, fired: Fired, { plansOf, planOf }: Codes): readonly Decision[] {
  const { action, condition } = rule;
  if (action.type === 'notify') return [];
  const isOfLine = condition.type === 'Individual' || condition.type === 'Aging';
  const line = { accountName: fired.accountName, deviceId: fired.subject };
  // If plans share a carrier code, a line on another of them has left the plan on which it was counted.
  const counted = isOfLine ? planOf(fired.subject) : undefined;
  const planCodes = plansOf(rule.carrierServicePlanCode).filter(
    (code) => counted === undefined || code === counted,
  );
  if (action.type === 'changePlan') {
    const params = { planCodes, toPlan: action.toCarrierServicePlanCode, effective: 'CurrentDate' } as const;
    return isOfLine ? [{ ...line, act: { kind: 'changePlan', params } }] : [];
  }
  const act: Act = { kind: 'suspend', params: { planCodes, ...action.suspension } };
  if (isOfLine) return action.fromAccounts.includes(fired.accountName) ? [{ ...line, act }] : [];
  if (condition.type === 'AccountLevel' && fired.levelKind !== 'suspendBytes') return [];
  // Only the highest percentage suspends. The lower ones are warnings: a customer who sets three levels wants no outage
  // at the first.
  if (condition.type === 'UsageAllowance' && fired.level < Math.max(...condition.percentages)) return [];
  const isTogether = condition.type === 'AccountLevel' && condition.combined;
  // An account that is compared separately suspends only its own lines.
  return action.fromAccounts
    .filter((accountName) => isTogether || accountName === fired.accountName)
    .map((accountName) => ({ accountName, act, deviceId: undefined }));
}

/** The entry for the plan on which the line was counted, even if the line is on another plan now. */
const entryOf = <E>(
  entries: readonly E[],
  planCodesOf: (entry: E) => readonly string[],
  planCode: string | undefined,
): { readonly entry: E; readonly planCodes: readonly string[] } | undefined =>
  entries
    .map((entry) => ({ entry, planCodes: planCodesOf(entry) }))
    .find(({ planCodes }) => planCode !== undefined && planCodes.includes(planCode));

function ofIndividualShare(
  { action }: GroupShareIndividual,
  { accountName, subject: deviceId, level }: Fired,
  { plansOf, planOf }: Codes,
): readonly Decision[] {
  if (action.type === 'notify') return [];
  if (action.type === 'suspend') {
    const fitting = action.thresholds.filter(({ usagePercentage }) => usagePercentage === level);
    const found = entryOf(fitting, ({ carrierCode }) => plansOf(carrierCode), planOf(deviceId));
    if (found === undefined) return [];
    const params = { planCodes: found.planCodes, ...action.suspension };
    return [{ accountName, deviceId, act: { kind: 'suspend', params } }];
  }
  const fitting = action.sharePlans.filter(({ criteriaPercentage }) => criteriaPercentage === level);
  const found = entryOf(fitting, ({ fromCarrierCode }) => plansOf(fromCarrierCode), planOf(deviceId));
  if (found === undefined) return [];
  const { entry, planCodes } = found;
  const params = { planCodes, toPlan: entry.toCarrierCode, effective: action.effective };
  return [{ accountName, deviceId, act: { kind: 'changePlan', params } }];
}

/** What a firing does. For a pool, the usage of its lines decides instead. */
export function decideActions(
  firing: Fired & { readonly trigger: { readonly rule: Rule } },
  codes: Codes,
): readonly Decision[] {
  const { rule } = firing.trigger;
  if (rule.kind === 'payAsYouGo') return ofPayAsYouGo(rule, firing, codes);
  return rule.kind === 'groupShareIndividual' ? ofIndividualShare(rule, firing, codes) : [];
}

export interface Moving {
  readonly direction: Direction;
  readonly moves: PoolMoves;
}

/** The direction in which a pool moves lines: upward when it is used up, downward when it is not. */
export function poolMovesOf(
  { action }: GroupSharePool,
  { after, threshold }: Pick<PricePlanFiring, 'after' | 'threshold'>,
): Moving | undefined {
  if (action.type === 'notify') return undefined;
  const direction = after >= threshold ? 'above' : 'below';
  const moves = action[direction];
  return moves && { direction, moves };
}
