import { deleteGroup, deletePlan, type Group, type Plan } from '../../api/plans.ts';
import { TypeToConfirm } from '../../parts/TypeToConfirm.tsx';
import { useSave } from '../../parts/use-save.ts';
import { formatCount } from '../../text/format.ts';

/** The service refuses to delete a plan in use and names what uses it. */
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
    { done: `Plan ${code} deleted`, topics: ['plans'], onClose },
  );
  return (
    <TypeToConfirm
      title={`Delete plan ${code}`}
      word={code}
      action="Delete permanently"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {name === code ? 'It' : name} is removed from the catalogue, and lines can no longer use it. You
        cannot delete a plan that lines, rate plan groups, triggers or bills need.
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
    { done: `Group ${ratePlanGroupId} deleted`, topics: ['plans'], onClose },
  );
  return (
    <TypeToConfirm
      title={`Delete group ${ratePlanGroupId} of ${ecpdId}`}
      word={String(ratePlanGroupId)}
      action="Delete permanently"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Its pool is deleted. {formatCount(planCodes.length, 'plan', 'plans')} and{' '}
        {formatCount(accountCount, 'account', 'accounts').toLowerCase()} in it stay. You cannot delete a group
        that lines draw from or triggers watch.
      </p>
    </TypeToConfirm>
  );
}
