import { useMemo, useState } from 'react';
import { listFirings, type TriggerFiring, type TriggerKind } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatTime } from '../../text/format.ts';
import { ActionBadge } from './ActionBadge.tsx';
import { FiringDialog } from './FiringDialog.tsx';
import { COUNTED_COLUMNS, firedColumn } from './firing-columns.tsx';

const columnsOf = (open: (firingId: string) => void): readonly Column<TriggerFiring>[] => [
  firedColumn(({ firingId, firedAt }) => (
    <button type="button" className="row-link" onClick={() => open(firingId)}>
      {formatTime(firedAt)}
    </button>
  )),
  ...COUNTED_COLUMNS,
  {
    title: 'Action',
    sortBy: ({ late, actions }) => actions[0]?.state ?? (late ? 'Late: notified only' : 'Notified'),
    width: '145px',
    cell: ({ late, actions }) =>
      actions[0] !== undefined ? (
        <ActionBadge state={actions[0].state} />
      ) : late ? (
        <Badge tone="warn">Late: notified only</Badge>
      ) : (
        'Notified'
      ),
  },
];

export function FiringsCard({ kind, triggerId }: { readonly kind: TriggerKind; readonly triggerId: string }) {
  const accountName = useAccount();
  const [open, setOpen] = useState<string | undefined>();
  const firings = usePages(['firings', accountName, kind, triggerId], (mark, signal) =>
    listFirings(accountName, { kind, triggerId }, mark, signal),
  );
  const columns = useMemo(() => columnsOf(setOpen), []);
  const shown = firings.pages?.flatMap((page) => page.firings).find(({ firingId }) => firingId === open);
  return (
    <Card title="Firings" flush>
      <PagedTable
        label="Firings"
        file="firings-of-trigger"
        columns={columns}
        list={firings}
        rowsOf={(page) => page.firings}
        keyOf={({ firingId }) => firingId}
        height={308}
        minWidth={950}
        empty={<Empty title="This trigger has not fired" />}
      />
      {shown !== undefined && <FiringDialog firing={shown} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
