import { useMemo } from 'react';
import { listPlans, type Plan } from '../../api/plans.ts';
import { usePages } from '../../app/use-pages.ts';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatBytes } from '../../text/format.ts';

export const KINDS = [
  { value: 'payAsYouGo', label: 'Per line' },
  { value: 'share', label: 'Shared pool' },
  { value: 'unlimited', label: 'Unlimited' },
] as const satisfies readonly { readonly value: Plan['kind']; readonly label: string }[];

const kindOf = (kind: Plan['kind']): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

const columnsOf = (onEdit: ((plan: Plan) => void) | undefined): readonly Column<Plan>[] => [
  {
    title: 'Code',
    width: 'minmax(130px, 1fr)',
    sortBy: ({ code }) => code,
    cell: (plan) =>
      onEdit === undefined ? (
        <span className="mono">{plan.code}</span>
      ) : (
        <button type="button" className="row-link mono" onClick={() => onEdit(plan)}>
          {plan.code}
        </button>
      ),
  },
  {
    title: 'Name',
    width: 'minmax(95px, 2fr)',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span title={name}>{name}</span>,
  },
  {
    title: 'Kind',
    wide: true,
    width: '158px',
    sortBy: ({ kind }) => kindOf(kind),
    cell: ({ kind }) => kindOf(kind),
  },
  {
    title: 'Allowance',
    width: '110px',
    align: 'right',
    sortBy: ({ allowanceBytes }) => allowanceBytes,
    cell: ({ allowanceBytes }) => (allowanceBytes === null ? 'No limit' : formatBytes(allowanceBytes)),
  },
  {
    title: 'Rate per MB',
    wide: true,
    width: '120px',
    align: 'right',
    sortBy: ({ ratePerMb }) => ratePerMb,
    cell: ({ ratePerMb }) => ratePerMb ?? '–',
  },
  {
    title: 'Slows at',
    wide: true,
    width: '100px',
    align: 'right',
    sortBy: ({ throttleAtPercent }) => throttleAtPercent,
    cell: ({ throttleAtPercent }) => (throttleAtPercent === null ? '–' : `${throttleAtPercent} %`),
  },
  {
    title: 'Name in triggers',
    wide: true,
    width: 'minmax(130px, 1fr)',
    sortBy: ({ carrierServicePlanCode }) => carrierServicePlanCode,
    cell: ({ carrierServicePlanCode }) => <span className="mono">{carrierServicePlanCode}</span>,
  },
];

export function PlanTable({ onEdit }: { readonly onEdit: ((plan: Plan) => void) | undefined }) {
  const plans = usePages(['plans', 'catalogue'], (mark, signal) => listPlans(mark, signal));
  const columns = useMemo(() => columnsOf(onEdit), [onEdit]);
  return (
    <PagedTable
      label="Plans"
      file="plans"
      columns={columns}
      list={plans}
      rowsOf={(page) => page.plans}
      keyOf={({ code }) => code}
      height="fill"
      minWidth={800}
      empty={<Empty title="No plans yet" />}
    />
  );
}
