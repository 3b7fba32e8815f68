import { useEffect, useMemo, useState } from 'react';
import {
  type ListenedService,
  type LogFilter,
  listDeliveries,
  type ResendScope,
} from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { useFilter, useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { useRowSelection } from '../../parts/use-row-selection.ts';
import { formatNumber } from '../../text/format.ts';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { columnsOf, isFailed, keyOf } from './log-columns.tsx';
import { ResendDialog } from './ResendDialog.tsx';

const STATES = ['pending', 'delivered', 'failed'] as const;
/** The limit of one call. */
const SELECTED_MAX = 500;

function useLogFilter(services: readonly ListenedService[]) {
  const [namedState, setState] = useFilter('state');
  const [namedService, setServiceName] = useFilter('service');
  const request = useTypedFilter('request');
  const state: LogFilter['state'] = STATES.find((one) => one === namedState);
  const serviceName = services.find((one) => one === namedService);
  const filter: LogFilter = { state, serviceName, requestId: request.settled || undefined };
  return { filter, request, setState, setServiceName };
}

function Filters({
  services,
  of: { filter, request, setState, setServiceName },
}: {
  readonly services: readonly ListenedService[];
  readonly of: ReturnType<typeof useLogFilter>;
}) {
  return (
    <>
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
        value={filter.serviceName ?? ''}
        onChange={({ target }) => setServiceName(target.value)}
      >
        <option value="">All services</option>
        {services.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <select
        className="input"
        style={{ width: 130 }}
        aria-label="State"
        value={filter.state ?? ''}
        onChange={({ target }) => setState(target.value)}
      >
        <option value="">All states</option>
        <option value="pending">Pending</option>
        <option value="delivered">Delivered</option>
        <option value="failed">Failed</option>
      </select>
    </>
  );
}

interface SelectionBarProps {
  readonly count: number;
  readonly onResend: () => void;
  readonly onClear: () => void;
}

function SelectionBar({ count, onResend, onClear }: SelectionBarProps) {
  const isTooMany = count > SELECTED_MAX;
  return (
    <div className="selection-bar" role="status">
      <span className="count">
        {formatNumber(count)} selected
        {isTooMany && `: you can re-send at most ${formatNumber(SELECTED_MAX)} at once`}
      </span>
      <Button onClick={onClear}>Clear the selection</Button>
      <Button kind="main" disabled={isTooMany} onClick={onResend}>
        Re-send selected
      </Button>
    </div>
  );
}

export function DeliveryLog({ services }: { readonly services: readonly ListenedService[] }) {
  const accountName = useAccount();
  const session = useSession();
  const mayResend = mayChange(session, 'callbacks');
  const filters = useLogFilter(services);
  const { filter, request } = filters;
  const [open, setOpen] = useState<string | undefined>();
  const [resent, setResent] = useState<ResendScope | undefined>();
  const log = usePages(['callbacks', accountName, 'log', filter], (mark, signal) =>
    listDeliveries(accountName, filter, mark, signal),
  );
  const rows = useMemo(() => log.pages?.flatMap(({ deliveries }) => deliveries) ?? [], [log.pages]);
  const selection = useRowSelection(rows, keyOf, isFailed);
  const { selected, clear } = selection;
  const columns = columnsOf({ open: setOpen, rows, selection: mayResend ? selection : undefined });
  const shown = JSON.stringify([accountName, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: callbacks hidden by another filter must not be re-sent
  useEffect(clear, [shown]);
  return (
    <Card
      title="Delivery log"
      flush
      aside={
        <div className="row">
          <Filters services={services} of={filters} />
          {mayResend && (
            <Button
              onClick={() =>
                setResent({
                  serviceName: filter.serviceName,
                  requestId: request.typed.trim() || undefined,
                })
              }
            >
              Re-send failed
            </Button>
          )}
        </div>
      }
    >
      {selected.size > 0 && (
        <SelectionBar
          count={selected.size}
          onClear={clear}
          onResend={() => setResent({ messageIds: [...selected.keys()] })}
        />
      )}
      <PagedTable
        label="Callbacks"
        file="callbacks"
        columns={columns}
        list={log}
        rowsOf={({ deliveries }) => deliveries}
        keyOf={keyOf}
        isSelected={({ id }) => selected.has(id)}
        height={460}
        minWidth={1_070}
        empty={<Empty title="No callback found" />}
      />
      {resent !== undefined && (
        <ResendDialog
          scope={resent}
          services={services}
          onSent={clear}
          onClose={() => setResent(undefined)}
        />
      )}
      {open !== undefined && <DeliveryDialog id={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}
