import type { GroupShareIndividual, GroupSharePool, PoolMoves } from '../rule.ts';
import {
  parseEffective,
  parsePercent,
  parsePercentages,
  parsePlanCode,
  parseSuspension,
} from './parse-terms.ts';
import {
  at,
  both,
  fail,
  isAbsent,
  optional,
  type Place,
  parseChoice,
  parseInteger,
  parseList,
  parseListOf,
  parseObject,
} from './parse-values.ts';

/** The maximum number of plans in a rate plan group. */
const PLANS_MAX = 200;

const parseGroupId = (place: Place): number =>
  parseInteger(1, Number.MAX_SAFE_INTEGER)(at(parseObject(at(place, 'filterCriteria')), 'ratePlanGroupId'));

const parseKind = (place: Place) =>
  parseChoice(['notify', 'suspend', 'changePricePlan'])(at(parseObject(at(place, 'condition')), 'action'));

const checkAlertType = (holder: Place): void =>
  void optional(at(holder, 'alertType'), parseChoice(['individualpriceplan']));

function parseMove(place: Place) {
  const [fromCarrierCode, toCarrierCode] = both(
    () => parsePlanCode(at(place, 'fromCarrierCode')),
    () => parsePlanCode(at(place, 'toCarrierCode')),
  );
  if (fromCarrierCode === toCarrierCode)
    fail(at(place, 'toCarrierCode'), 'is the plan that the lines are on');
  return { fromCarrierCode, toCarrierCode };
}

type IndividualAction = GroupShareIndividual['action'];

/** Thresholds by plan, each plan once. */
const parseThresholds = <T extends object>(holder: Place, parse: (entry: Place) => T) =>
  parseListOf(
    PLANS_MAX,
    ({ carrierCode }: { carrierCode: string } & T) => carrierCode,
    (entry) => ({ carrierCode: parsePlanCode(at(entry, 'carrierCode')), ...parse(entry) }),
  )(at(holder, 'threshold'));

function parseIndividualNotify(notify: Place): IndividualAction {
  checkAlertType(notify);
  const thresholds = parseThresholds(notify, (entry) => ({
    percentages: parsePercentages(parseObject(at(entry, 'percentage'))),
  }));
  return { type: 'notify', thresholds };
}

function parseIndividualSuspend(suspend: Place): IndividualAction {
  checkAlertType(suspend);
  const [suspension, thresholds] = both(
    () => parseSuspension(suspend),
    () =>
      parseThresholds(suspend, (entry) => ({ usagePercentage: parsePercent(at(entry, 'usagePercentage')) })),
  );
  return { type: 'suspend', suspension, thresholds };
}

function parseIndividualChange(change: Place): IndividualAction {
  const sharePlans = parseListOf(
    PLANS_MAX,
    ({ fromCarrierCode }: ReturnType<typeof parseMove> & { criteriaPercentage: number }) => fromCarrierCode,
    (entry) => ({ ...parseMove(entry), criteriaPercentage: parsePercent(at(entry, 'criteriaPercentage')) }),
  )(at(change, 'sharePlan'));
  return { type: 'changePlan', sharePlans, effective: parseEffective(change) };
}

function parseIndividualAction(place: Place): IndividualAction {
  const kind = parseKind(place);
  const action = parseObject(at(place, 'action'));
  if (kind === 'notify') return parseIndividualNotify(parseObject(at(action, 'notify')));
  if (kind === 'suspend') return parseIndividualSuspend(parseObject(at(action, 'suspend')));
  return parseIndividualChange(parseObject(at(action, 'changePlan')));
}

function parseMoves(place: Place): PoolMoves {
  const plans = parseListOf(
    PLANS_MAX,
    ({ fromCarrierCode }: ReturnType<typeof parseMove>) => fromCarrierCode,
    parseMove,
  )(at(parseObject(place), 'changePlan'));
  const overageBuffer = parseInteger(0, 100)(at(place, 'dataPoolOverageBuffer'));
  return { plans, overageBuffer, effective: parseEffective(place) };
}

/** Combines the flags of all entries: the pool has one level for each percentage. */
function parsePoolNotify(notify: Place): GroupSharePool['action'] {
  const entries = parseList(PLANS_MAX, (entry) => parsePercentages(parseObject(at(entry, 'percentage'))))(
    at(notify, 'threshold'),
  );
  return { type: 'notify', percentages: [...new Set(entries.flat())].sort((a, b) => a - b) };
}

function parsePoolAction(place: Place): GroupSharePool['action'] {
  const kind = parseKind(place);
  const action = parseObject(at(place, 'action'));
  if (kind === 'suspend')
    fail(at(at(place, 'condition'), 'action'), 'must be notify or changePricePlan: a pool is not suspended');
  if (kind === 'notify') return parsePoolNotify(parseObject(at(action, 'notify')));
  const change = parseObject(at(action, 'changePlan'));
  const automation =
    optional(at(action, 'automation'), parseChoice(['customerAutomation'])) ?? 'customerAutomation';
  const [above, below] = both(
    () => optional(at(change, 'changePlanGT'), parseMoves),
    () => optional(at(change, 'changePlanLT'), parseMoves),
  );
  if (above === undefined && below === undefined) fail(change, 'needs changePlanGT or changePlanLT');
  return { type: 'changePlan', automation, above, below };
}

export function parseGroupShare(place: Place): GroupShareIndividual | GroupSharePool {
  const individual = at(place, 'accountGroupShareIndividual');
  const pool = at(place, 'accountGroupSharePool');
  if (isAbsent(individual) === isAbsent(pool))
    fail(place, 'must hold exactly one of accountGroupShareIndividual and accountGroupSharePool');
  const given = parseObject(isAbsent(pool) ? individual : pool);
  const parseWith = <A>(parseAction: (place: Place) => A) =>
    both(
      () => parseGroupId(given),
      () => parseAction(given),
    );
  if (isAbsent(pool)) {
    const [ratePlanGroupId, action] = parseWith(parseIndividualAction);
    return { kind: 'groupShareIndividual', ratePlanGroupId, action };
  }
  const [ratePlanGroupId, action] = parseWith(parsePoolAction);
  return { kind: 'groupSharePool', ratePlanGroupId, action };
}
