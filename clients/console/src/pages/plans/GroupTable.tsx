import { useMemo } from 'react';
import { type Group, listGroups } from '../../api/plans.ts';
import { usePages } from '../../app/use-pages.ts';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';

const columnsOf = (onEdit: ((group: Group) => void) | undefined): readonly Column<Group>[] => [
  {
    title: 'Group',
    width: '95px',
    sortBy: ({ ratePlanGroupId }) => ratePlanGroupId,
    cell: (group) =>
      onEdit === undefined ? (
        group.ratePlanGroupId
      ) : (
        <button type="button" className="row-link" onClick={() => onEdit(group)}>
          {group.ratePlanGroupId}
        </button>
      ),
  },
  {
    title: 'Customer',
    width: '130px',
    sortBy: ({ ecpdId }) => ecpdId,
    cell: ({ ecpdId }) => <span className="mono">{ecpdId}</span>,
  },
  {
    title: 'Plans',
    wide: true,
    width: 'minmax(200px, 2fr)',
    text: ({ planCodes }) => planCodes.join(', '),
    cell: ({ planCodes }) => (
      <span className="mono" title={planCodes.join(', ')}>
        {planCodes.join(', ')}
      </span>
    ),
  },
  {
    title: 'Accounts',
    width: '105px',
    align: 'right',
    sortBy: ({ accountCount }) => accountCount,
    cell: ({ accountCount }) => formatNumber(accountCount),
  },
  {
    title: 'Account names',
    wide: true,
    width: 'minmax(180px, 3fr)',
    text: ({ accounts }) => accounts.join(', '),
    cell: ({ accounts }) => (
      <span className="mono" title={accounts.slice(0, 20).join(', ')}>
        {accounts.slice(0, 20).join(', ')}
      </span>
    ),
  },
];

export function GroupTable({ onEdit }: { readonly onEdit: ((group: Group) => void) | undefined }) {
  const groups = usePages(['plans', 'groups'], (mark, signal) => listGroups('', mark, signal));
  const columns = useMemo(() => columnsOf(onEdit), [onEdit]);
  return (
    <PagedTable
      label="Rate plan groups"
      file="rate-plan-groups"
      columns={columns}
      list={groups}
      rowsOf={(page) => page.groups}
      keyOf={({ ecpdId, ratePlanGroupId }) => `${ecpdId} ${ratePlanGroupId}`}
      height="fill"
      minWidth={800}
      empty={<Empty title="No rate plan groups yet" />}
    />
  );
}
