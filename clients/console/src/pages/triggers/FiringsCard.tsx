import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listFirings, type TriggerFiring, type TriggerKind } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { reasonOf } from '../../text/firing.ts';
import { formatTime } from '../../text/format.ts';
import { ActionBadge } from './ActionBadge.tsx';
import { FiringDialog } from './FiringDialog.tsx';

const columnsOf = (open: (firingId: string) => void): readonly Column<TriggerFiring>[] => [
  {
    title: 'Fired',
    width: '180px',
    cell: ({ firingId, firedAt }) => (
      <button type="button" className="row-link" onClick={() => open(firingId)}>
        {formatTime(firedAt)}
      </button>
    ),
  },
  { title: 'Why', width: 'minmax(220px, 2fr)', cell: reasonOf },
  {
    title: 'Account',
    width: '160px',
    cell: ({ accountName }) => <span className="mono">{accountName}</span>,
  },
  {
    title: 'Did',
    width: '170px',
    cell: ({ late, actions }) =>
      actions[0] !== undefined ? (
        <ActionBadge state={actions[0].state} />
      ) : late ? (
        <Badge tone="warn">Late: told only</Badge>
      ) : (
        'Told'
      ),
  },
];

export function FiringsCard({
  kind,
  triggerId,
  span,
}: {
  readonly kind: TriggerKind;
  readonly triggerId: string;
  readonly span: 8 | 12;
}) {
  const accountName = useAccount();
  const [open, setOpen] = useState<string | undefined>();
  const firings = useInfiniteQuery({
    queryKey: ['firings', accountName, kind, triggerId],
    queryFn: ({ pageParam, signal }) => listFirings(accountName, { kind, triggerId }, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const columns = useMemo(() => columnsOf(setOpen), []);
  const rows = firings.data?.pages.flatMap((page) => page.firings);
  const shown = rows?.find(({ firingId }) => firingId === open);
  return (
    <Card title="Firings" span={span} flush>
      {firings.isError ? (
        <Problem error={firings.error} retry={() => void firings.refetch()} />
      ) : (
        <DataTable
          label="Firings"
          columns={columns}
          rows={rows}
          keyOf={({ firingId }) => firingId}
          height={308}
          minWidth={740}
          empty={<Empty title="It has not fired" />}
          onEnd={
            firings.hasNextPage && !firings.isFetchingNextPage
              ? () => void firings.fetchNextPage()
              : undefined
          }
        />
      )}
      {shown !== undefined && <FiringDialog firing={shown} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
