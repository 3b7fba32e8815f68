import { useMemo, useState } from 'react';
import { listFirings, type TriggerFiring, type TriggerKind } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { crossedBy, firedFor, formatCounted, levelWords } from '../../text/firing.ts';
import { formatTime } from '../../text/format.ts';
import { ActionBadge } from './ActionBadge.tsx';
import { FiringDialog } from './FiringDialog.tsx';

const columnsOf = (open: (firingId: string) => void): readonly Column<TriggerFiring>[] => [
  {
    title: 'Fired',
    sortBy: ({ firedAt }) => firedAt,
    width: TIME_WIDTH,
    cell: ({ firingId, firedAt }) => (
      <button type="button" className="row-link" onClick={() => open(firingId)}>
        {formatTime(firedAt)}
      </button>
    ),
  },
  {
    title: 'For',
    sortBy: firedFor,
    width: 'minmax(130px, 1.4fr)',
    cell: (firing) => <FiredFor firing={firing} />,
  },
  {
    title: 'Level',
    sortBy: ({ threshold }) => threshold,
    text: levelWords,
    wide: true,
    width: 'minmax(130px, 1fr)',
    cell: levelWords,
  },
  {
    title: 'Before',
    sortBy: ({ before }) => before,
    wide: true,
    width: 'minmax(84px, 0.7fr)',
    align: 'right',
    cell: (firing) => formatCounted(firing, firing.before),
  },
  {
    title: 'After',
    sortBy: ({ after }) => after,
    wide: true,
    width: 'minmax(84px, 0.7fr)',
    align: 'right',
    cell: (firing) => formatCounted(firing, firing.after),
  },
  {
    title: 'Crossed by',
    sortBy: crossedBy,
    wide: true,
    width: 'minmax(140px, 1.2fr)',
    cell: (firing) => <span title={crossedBy(firing)}>{crossedBy(firing)}</span>,
  },
  {
    title: 'Did',
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
        minWidth={930}
        empty={<Empty title="It has not fired" />}
      />
      {shown !== undefined && <FiringDialog firing={shown} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
