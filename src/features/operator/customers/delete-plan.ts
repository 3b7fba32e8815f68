import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import { countDevicesInGroup, countDevicesOnPlan, LINES_COUNTED } from '../../devices/index.ts';
import {
  countGroupsWithPlan,
  deletePlan,
  deleteRatePlanGroup,
  lockPlan,
  lockRatePlanGroup,
  namesOfPlan,
  type RatePlanGroup,
} from '../../plans/index.ts';
import { countTriggersNaming, countTriggersOfGroup } from '../../price-plan-triggers/index.ts';
import { countAccountsBilledBy } from '../../usage/index.ts';
import { operatorFaults } from '../errors.ts';

/** Time for a scan of all lines and bills, which have no index by plan. */
const TIME_MS = 5 * 60_000;

interface Use {
  readonly count: number;
  readonly one: string;
  /** The words after the number. */
  readonly many: string;
}

const numbered = ({ count, one, many }: Use): string => {
  if (count === 1) return `1 ${one}`;
  const number =
    count > LINES_COUNTED ? `more than ${LINES_COUNTED.toLocaleString('en')}` : count.toLocaleString('en');
  return `${number} ${many}`;
};

/** Refuses with a sentence that counts the uses: "2 lines are on it, and 1 trigger names it". */
function refuseUsed(fault: FaultKind, uses: readonly Use[]): void {
  const parts = uses.filter(({ count }) => count > 0).map(numbered);
  if (parts.length === 0) return;
  const last = parts.pop();
  refuse(fault, { reason: parts.length === 0 ? last! : `${parts.join(', ')}, and ${last}` });
}

/** Deletes a plan only if nothing needs it, including bills for its past use. */
export const deleteUnusedPlan = (outer: Ctx, code: string): Promise<void> =>
  inTx(outer, async ({ db }) => {
    await db.allowTime(TIME_MS);
    const plan = (await lockPlan(db, code)) ?? refuse(operatorFaults.noPlan);
    const names = await namesOfPlan(db, plan);
    refuseUsed(operatorFaults.planInUse, [
      { count: await countDevicesOnPlan(db, code), one: 'line is on it', many: 'lines are on it' },
      {
        count: await countGroupsWithPlan(db, code),
        one: 'rate plan group has it',
        many: 'rate plan groups have it',
      },
      { count: await countTriggersNaming(db, names), one: 'trigger names it', many: 'triggers name it' },
      {
        count: await countAccountsBilledBy(db, code),
        one: 'account has used it, and its bills need its price',
        many: 'accounts have used it, and their bills need its price',
      },
    ]);
    await deletePlan(db, code);
  });

export const deleteUnusedGroup = (outer: Ctx, group: RatePlanGroup): Promise<void> =>
  inTx(
    outer,
    async ({ db }) => {
      await db.allowTime(TIME_MS);
      if (!(await lockRatePlanGroup(db, group))) refuse(operatorFaults.noGroup);
      refuseUsed(operatorFaults.groupInUse, [
        {
          count: await countDevicesInGroup(db, group),
          one: 'line draws from its pool',
          many: 'lines draw from its pool',
        },
        {
          count: await countTriggersOfGroup(db, group),
          one: 'trigger watches it',
          many: 'triggers watch it',
        },
      ]);
      await deleteRatePlanGroup(db, group);
    },
    group.ecpdId,
  );
