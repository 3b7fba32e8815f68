import { deleteGroup, deletePlan, type Group, type Plan } from '../../api/plans.ts';
import { TypeToConfirm } from '../../parts/TypeToConfirm.tsx';
import { useSave } from '../../parts/use-save.ts';
import { formatCount } from '../../text/format.ts';

/** One that is in use is refused, with what uses it. */
export function DeletePlanDialog({
  plan: { code, name },
  onClose,
}: {
  readonly plan: Plan;
  readonly onClose: () => void;
}) {
  const deleting = useSave(
    async () => {
      await deletePlan(code);
      return true;
    },
    { done: `Plan ${code} is deleted`, topics: ['plans'], onClose },
  );
  return (
    <TypeToConfirm
      title={`Delete plan ${code}`}
      word={code}
      action="Delete it for good"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {name === code ? 'It' : name} goes from the catalogue, and no line can be put on it any more. A plan
        that lines, rate plan groups, triggers or bills need stays.
      </p>
    </TypeToConfirm>
  );
}

export function DeleteGroupDialog({
  group: { ecpdId, ratePlanGroupId, planCodes, accountCount },
  onClose,
}: {
  readonly group: Group;
  readonly onClose: () => void;
}) {
  const deleting = useSave(
    async () => {
      await deleteGroup({ ecpdId, ratePlanGroupId });
      return true;
    },
    { done: `Group ${ratePlanGroupId} is deleted`, topics: ['plans'], onClose },
  );
  return (
    <TypeToConfirm
      title={`Delete group ${ratePlanGroupId} of ${ecpdId}`}
      word={String(ratePlanGroupId)}
      action="Delete it for good"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Its pool goes. {formatCount(planCodes.length, 'plan', 'plans')} and{' '}
        {formatCount(accountCount, 'account', 'accounts').toLowerCase()} in it stay. A group that lines draw
        from or triggers watch stays.
      </p>
    </TypeToConfirm>
  );
}
