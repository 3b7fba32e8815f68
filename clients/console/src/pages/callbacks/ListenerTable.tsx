import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Listener, pauseListener } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayAs, mayChange, useSession } from '../../app/session.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Empty } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { RemoveDialog } from './RemoveDialog.tsx';

function Health({ paused, failingSince, lastFailure, url, hasMessages }: Listener) {
  if (url === null) return <Badge>No address</Badge>;
  if (paused) return <Badge tone="accent">Paused</Badge>;
  if (!hasMessages) return <Badge>Unused</Badge>;
  if (failingSince === null) return <Badge tone="good">Healthy</Badge>;
  return (
    <span className="row">
      <Badge tone="bad">Failing</Badge>
      <span className="small soft">
        <TimeAgo at={failingSince} /> · {lastFailure}
      </span>
    </span>
  );
}

function Actions({ listener, onEdit }: { readonly listener: Listener; readonly onEdit: () => void }) {
  const { serviceName, paused } = listener;
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [removing, setRemoving] = useState(false);
  const pausing = useMutation({
    mutationFn: () => pauseListener(accountName, serviceName, !paused),
    onSuccess: () => {
      say(paused ? `${serviceName} resumed` : `${serviceName} paused`);
      return queries.invalidateQueries({ queryKey: ['callbacks'] });
    },
    onError: complain,
  });
  return (
    <span className="row row-actions">
      {mayAs(session, 'callbacks') && (
        <Button kind="plain" onClick={() => pausing.mutate()} busy={pausing.isPending}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
      )}
      {mayChange(session, 'callbacks') && (
        <>
          <Button kind="plain" onClick={onEdit}>
            Change
          </Button>
          <Button kind="plain" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </>
      )}
      {removing && <RemoveDialog serviceName={serviceName} onClose={() => setRemoving(false)} />}
    </span>
  );
}

export function ListenerTable({
  listeners,
  onEdit,
}: {
  readonly listeners: readonly Listener[];
  readonly onEdit: (serviceName: Listener['serviceName']) => void;
}) {
  if (listeners.length === 0) return <Empty title="No listener is registered" />;
  return (
    <div className="table-scroll">
      <table className="plain-table" aria-label="Listeners">
        <thead>
          <tr>
            <th>Service</th>
            <th className="wide-cell">Address</th>
            <th>Health</th>
            <th className="right wide-cell">Waiting</th>
            <th>
              <span className="hidden-text">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listeners.map((listener) => (
            <tr key={listener.serviceName}>
              <td>{listener.serviceName}</td>
              <td className="mono small wide-cell">{listener.url ?? '–'}</td>
              <td>
                <Health {...listener} />
              </td>
              <td className="right number wide-cell">{formatNumber(listener.waiting)}</td>
              <td>
                <Actions listener={listener} onEdit={() => onEdit(listener.serviceName)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
