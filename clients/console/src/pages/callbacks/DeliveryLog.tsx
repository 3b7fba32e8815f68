import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type ListenedService,
  type LogFilter,
  type LoggedDelivery,
  listDeliveries,
} from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { useTyped } from '../../app/use-typed.ts';
import { StateBadge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatTime } from '../../text/format.ts';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { ResendDialog, type ResendScope } from './ResendDialog.tsx';

const STATES = ['pending', 'delivered', 'failed'] as const;

const columnsOf = (open: (id: string) => void): readonly Column<LoggedDelivery>[] => [
  {
    title: 'Created',
    width: '180px',
    cell: ({ id, createdAt }) => (
      <button type="button" className="row-link" onClick={() => open(id)}>
        {formatTime(createdAt)}
      </button>
    ),
  },
  { title: 'Service', width: 'minmax(150px, 1fr)', cell: ({ serviceName }) => serviceName },
  { title: 'State', width: '124px', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Attempts', width: '90px', align: 'right', cell: ({ attempts }) => attempts },
  { title: 'Last outcome', width: 'minmax(160px, 1.5fr)', cell: ({ lastOutcome }) => lastOutcome ?? '–' },
  { title: 'Next attempt', width: '130px', cell: ({ nextAttemptAt }) => <TimeAgo at={nextAttemptAt} /> },
  {
    title: 'Request',
    width: 'minmax(140px, 2fr)',
    cell: ({ requestId }) => <span className="mono small">{requestId}</span>,
  },
];

export function DeliveryLog({ services }: { readonly services: readonly ListenedService[] }) {
  const accountName = useAccount();
  const session = useSession();
  const [state, setState] = useState<LogFilter['state']>();
  const [serviceName, setServiceName] = useState<ListenedService>();
  const [request, setRequest] = useState('');
  const [open, setOpen] = useState<string | undefined>();
  const [resent, setResent] = useState<ResendScope | undefined>();
  const filter = { state, serviceName, requestId: useTyped(request.trim()) || undefined };
  const log = useInfiniteQuery({
    queryKey: ['callbacks', accountName, 'log', filter],
    queryFn: ({ pageParam, signal }) => listDeliveries(accountName, filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
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
            value={request}
            onChange={(event) => setRequest(event.target.value)}
          />
          <select
            className="input"
            style={{ width: 190 }}
            aria-label="Service"
            value={serviceName ?? ''}
            onChange={({ target }) => setServiceName(services.find((one) => one === target.value))}
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
            onChange={({ target }) => setState(STATES.find((one) => one === target.value))}
          >
            <option value="">Every state</option>
            <option value="pending">Pending</option>
            <option value="delivered">Delivered</option>
            <option value="failed">Failed</option>
          </select>
          {mayChange(session, 'callbacks') && (
            <Button onClick={() => setResent({ serviceName, requestId: request.trim() || undefined })}>
              Re-send failed
            </Button>
          )}
        </div>
      }
    >
      {log.isError ? (
        <Problem error={log.error} retry={() => void log.refetch()} />
      ) : (
        <DataTable
          label="Callbacks"
          columns={columns}
          rows={log.data?.pages.flatMap(({ deliveries }) => deliveries)}
          keyOf={({ id }) => id}
          height={460}
          minWidth={1_020}
          empty={<Empty title="No callback found" />}
          onEnd={log.hasNextPage && !log.isFetchingNextPage ? () => void log.fetchNextPage() : undefined}
        />
      )}
      {resent !== undefined && <ResendDialog scope={resent} onClose={() => setResent(undefined)} />}
      {open !== undefined && <DeliveryDialog id={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
