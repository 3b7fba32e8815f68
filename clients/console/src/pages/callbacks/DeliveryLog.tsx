import { useMemo, useState } from 'react';
import {
  type ListenedService,
  type LogFilter,
  type LoggedDelivery,
  listDeliveries,
} from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { useFilter, useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { StateBadge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatTime } from '../../text/format.ts';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { ResendDialog, type ResendScope } from './ResendDialog.tsx';

const STATES = ['pending', 'delivered', 'failed'] as const;

const columnsOf = (open: (id: string) => void): readonly Column<LoggedDelivery>[] => [
  {
    title: 'Created',
    width: TIME_WIDTH,
    cell: ({ id, createdAt }) => (
      <button type="button" className="row-link" onClick={() => open(id)}>
        {formatTime(createdAt)}
      </button>
    ),
  },
  { title: 'Service', width: 'minmax(150px, 1fr)', wide: true, cell: ({ serviceName }) => serviceName },
  { title: 'State', width: '124px', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Attempts', width: '90px', wide: true, align: 'right', cell: ({ attempts }) => attempts },
  {
    title: 'Last outcome',
    width: 'minmax(160px, 1.5fr)',
    wide: true,
    cell: ({ lastOutcome }) => lastOutcome ?? '–',
  },
  {
    title: 'Next attempt',
    width: '130px',
    wide: true,
    cell: ({ nextAttemptAt }) => <TimeAgo at={nextAttemptAt} />,
  },
  {
    title: 'Request',
    wide: true,
    width: 'minmax(140px, 2fr)',
    cell: ({ requestId }) => <span className="mono small">{requestId}</span>,
  },
];

export function DeliveryLog({ services }: { readonly services: readonly ListenedService[] }) {
  const accountName = useAccount();
  const session = useSession();
  const [namedState, setState] = useFilter('state');
  const [namedService, setServiceName] = useFilter('service');
  const request = useTypedFilter('request');
  const state: LogFilter['state'] = STATES.find((one) => one === namedState);
  const serviceName = services.find((one) => one === namedService);
  const [open, setOpen] = useState<string | undefined>();
  const [resent, setResent] = useState<ResendScope | undefined>();
  const filter = { state, serviceName, requestId: request.settled || undefined };
  const log = usePages(['callbacks', accountName, 'log', filter], (mark, signal) =>
    listDeliveries(accountName, filter, mark, signal),
  );
  const columns = useMemo(() => columnsOf(setOpen), []);
  return (
    <Card
      title="Delivery log"
      flush
      aside={
        <div className="row">
          <input
            className="input"
            style={{ width: 190 }}
            type="search"
            aria-label="Request id"
            placeholder="Request id"
            value={request.typed}
            onChange={(event) => request.setTyped(event.target.value)}
          />
          <select
            className="input"
            style={{ width: 190 }}
            aria-label="Service"
            value={serviceName ?? ''}
            onChange={({ target }) => setServiceName(target.value)}
          >
            <option value="">Every service</option>
            {services.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <select
            className="input"
            style={{ width: 130 }}
            aria-label="State"
            value={state ?? ''}
            onChange={({ target }) => setState(target.value)}
          >
            <option value="">Every state</option>
            <option value="pending">Pending</option>
            <option value="delivered">Delivered</option>
            <option value="failed">Failed</option>
          </select>
          {mayChange(session, 'callbacks') && (
            <Button onClick={() => setResent({ serviceName, requestId: request.typed.trim() || undefined })}>
              Re-send failed
            </Button>
          )}
        </div>
      }
    >
      <PagedTable
        label="Callbacks"
        columns={columns}
        list={log}
        rowsOf={({ deliveries }) => deliveries}
        keyOf={({ id }) => id}
        height={460}
        minWidth={1_020}
        empty={<Empty title="No callback found" />}
      />
      {resent !== undefined && <ResendDialog scope={resent} onClose={() => setResent(undefined)} />}
      {open !== undefined && <DeliveryDialog id={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
