import type { GroupShareIndividual, GroupSharePool, Percentage, PoolMoves } from '../rule.ts';
import { readEffective, readPercent, readPercentages, readPlanCode, readSuspension } from './read-terms.ts';
import {
  at,
  both,
  fail,
  isAbsent,
  optional,
  type Place,
  readChoice,
  readInteger,
  readList,
  readListOf,
  readObject,
} from './read-values.ts';

/** As many as a rate plan group can have. */
const PLANS_MAX = 200;

const readGroupId = (place: Place): number =>
  readInteger(1, Number.MAX_SAFE_INTEGER)(at(readObject(at(place, 'filterCriteria')), 'ratePlanGroupId'));

const readKind = (place: Place) =>
  readChoice(['notify', 'suspend', 'changePricePlan'])(at(readObject(at(place, 'condition')), 'action'));

const checkAlertType = (holder: Place): void =>
  void optional(at(holder, 'alertType'), readChoice(['individualpriceplan']));

function readMove(place: Place) {
  const [fromCarrierCode, toCarrierCode] = both(
    () => readPlanCode(at(place, 'fromCarrierCode')),
    () => readPlanCode(at(place, 'toCarrierCode')),
  );
  if (fromCarrierCode === toCarrierCode)
    fail(at(place, 'toCarrierCode'), 'is the plan that the lines are on');
  return { fromCarrierCode, toCarrierCode };
}

type IndividualAction = GroupShareIndividual['action'];

function readIndividualNotify(notify: Place): IndividualAction {
  checkAlertType(notify);
  const thresholds = readListOf(
    PLANS_MAX,
    ({ carrierCode }: { carrierCode: string; percentages: readonly Percentage[] }) => carrierCode,
    (entry) => ({
      carrierCode: readPlanCode(at(entry, 'carrierCode')),
      percentages: readPercentages(readObject(at(entry, 'percentage'))),
    }),
  )(at(notify, 'threshold'));
  return { type: 'notify', thresholds };
}

function readIndividualSuspend(suspend: Place): IndividualAction {
  checkAlertType(suspend);
  const [suspension, thresholds] = both(
    () => readSuspension(suspend),
    () =>
      readListOf(
        PLANS_MAX,
        ({ carrierCode }: { carrierCode: string; usagePercentage: number }) => carrierCode,
        (entry) => ({
          carrierCode: readPlanCode(at(entry, 'carrierCode')),
          usagePercentage: readPercent(at(entry, 'usagePercentage')),
        }),
      )(at(suspend, 'threshold')),
  );
  return { type: 'suspend', suspension, thresholds };
}

function readIndividualChange(change: Place): IndividualAction {
  const sharePlans = readListOf(
    PLANS_MAX,
    ({ fromCarrierCode }: ReturnType<typeof readMove> & { criteriaPercentage: number }) => fromCarrierCode,
    (entry) => ({ ...readMove(entry), criteriaPercentage: readPercent(at(entry, 'criteriaPercentage')) }),
  )(at(change, 'sharePlan'));
  return { type: 'changePlan', sharePlans, effective: readEffective(change) };
}

function readIndividualAction(place: Place): IndividualAction {
  const kind = readKind(place);
  const action = readObject(at(place, 'action'));
  if (kind === 'notify') return readIndividualNotify(readObject(at(action, 'notify')));
  if (kind === 'suspend') return readIndividualSuspend(readObject(at(action, 'suspend')));
  return readIndividualChange(readObject(at(action, 'changePlan')));
}

function readMoves(place: Place): PoolMoves {
  const plans = readListOf(
    PLANS_MAX,
    ({ fromCarrierCode }: ReturnType<typeof readMove>) => fromCarrierCode,
    readMove,
  )(at(readObject(place), 'changePlan'));
  const overageBuffer = readInteger(0, 100)(at(place, 'dataPoolOverageBuffer'));
  return { plans, overageBuffer, effective: readEffective(place) };
}

/** The flags of all entries together: the pool has one level for each percentage. */
function readPoolNotify(notify: Place): GroupSharePool['action'] {
  const entries = readList(PLANS_MAX, (entry) => readPercentages(readObject(at(entry, 'percentage'))))(
    at(notify, 'threshold'),
  );
  return { type: 'notify', percentages: [...new Set(entries.flat())].sort((a, b) => a - b) };
}

function readPoolAction(place: Place): GroupSharePool['action'] {
  const kind = readKind(place);
  const action = readObject(at(place, 'action'));
  if (kind === 'suspend')
    fail(at(at(place, 'condition'), 'action'), 'must be notify or changePricePlan: a pool is not suspended');
  if (kind === 'notify') return readPoolNotify(readObject(at(action, 'notify')));
  const change = readObject(at(action, 'changePlan'));
  const automation =
    optional(at(action, 'automation'), readChoice(['customerAutomation'])) ?? 'customerAutomation';
  const [above, below] = both(
    () => optional(at(change, 'changePlanGT'), readMoves),
    () => optional(at(change, 'changePlanLT'), readMoves),
  );
  if (above === undefined && below === undefined) fail(change, 'needs changePlanGT or changePlanLT');
  return { type: 'changePlan', automation, above, below };
}

export function readGroupShare(place: Place): GroupShareIndividual | GroupSharePool {
  const individual = at(place, 'accountGroupShareIndividual');
  const pool = at(place, 'accountGroupSharePool');
  if (isAbsent(individual) === isAbsent(pool))
    fail(place, 'must hold exactly one of accountGroupShareIndividual and accountGroupSharePool');
  const given = readObject(isAbsent(pool) ? individual : pool);
  if (isAbsent(pool)) {
    const [ratePlanGroupId, action] = both(
      () => readGroupId(given),
      () => readIndividualAction(given),
    );
    return { kind: 'groupShareIndividual', ratePlanGroupId, action };
  }
  const [ratePlanGroupId, action] = both(
    () => readGroupId(given),
    () => readPoolAction(given),
  );
  return { kind: 'groupSharePool', ratePlanGroupId, action };
}
