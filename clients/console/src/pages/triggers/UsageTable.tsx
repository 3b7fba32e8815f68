import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { listUsageTriggers, type UsageTrigger } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { formatDay } from '../../text/format.ts';
import { recipientWords } from './words.ts';

const columnsOf = (accountName: string): readonly Column<UsageTrigger>[] => [
  {
    title: 'Name',
    sortBy: ({ triggerName }) => triggerName,
    width: 'minmax(140px, 1.4fr)',
    cell: ({ triggerId, triggerName }) => (
      <Link className="row-link" href={`/accounts/${accountName}/triggers/usage/${triggerId}`}>
        {triggerName}
      </Link>
    ),
  },
  {
    title: 'Service',
    sortBy: ({ serviceName }) => serviceName,
    width: '110px',
    cell: ({ serviceName }) => serviceName,
  },
  {
    title: 'Fires at',
    sortBy: ({ thresholdValue }) => Number(thresholdValue),
    width: '100px',
    align: 'right',
    cell: ({ thresholdValue }) => `${thresholdValue} %`,
  },
  {
    title: 'Beyond 100 %',
    sortBy: ({ allowExcess }) => (allowExcess ? 'Continues' : 'Stops'),
    wide: true,
    width: '130px',
    cell: ({ allowExcess }) => (
      <Badge tone={allowExcess ? 'none' : 'warn'}>{allowExcess ? 'Continues' : 'Stops'}</Badge>
    ),
  },
  {
    title: 'Notifies',
    sortBy: recipientWords,
    wide: true,
    width: 'minmax(180px, 2fr)',
    cell: recipientWords,
  },
  {
    title: 'Changed',
    sortBy: ({ updateDate }) => updateDate,
    width: '120px',
    wide: true,
    cell: ({ updateDate }) => formatDay(updateDate),
  },
];

export const useUsageTriggers = (accountName: string) =>
  useQuery({
    queryKey: ['triggers', accountName, 'usage'],
    queryFn: ({ signal }) => listUsageTriggers(accountName, signal),
  });

export function UsageTable() {
  const accountName = useAccount();
  const list = useUsageTriggers(accountName);
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  return (
    <>
      <ReadProblem error={list.error} data={list.data} retry={() => void list.refetch()} />
      {(list.data !== undefined || !list.isError) && (
        <ToolTable
          label="Usage triggers"
          file="usage-triggers"
          columns={columns}
          rows={list.data}
          keyOf={({ triggerId }) => triggerId}
          height="fill"
          minWidth={840}
          empty={<Empty title="No trigger watches service usage" />}
        />
      )}
    </>
  );
}
