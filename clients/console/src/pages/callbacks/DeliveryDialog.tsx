import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Delivery, readDelivery, resend } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Badge, StateBadge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { Empty, ErrorText, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';

const isAcknowledged = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  if (attempts.length === 0) return <Empty title="It has not been tried" />;
  return (
    <ol className="stack" style={{ listStyle: 'none', gap: 8 }}>
      {attempts.map(({ series, attempt, at, status, latencyMs, error, body }) => (
        <li key={`${series} ${attempt}`}>
          <div className="row">
            <Badge tone={isAcknowledged(status) ? 'good' : 'bad'}>{status ?? 'No answer'}</Badge>
            <span>
              Attempt {attempt}
              {series > 1 && ` of series ${series}`}
            </span>
            <span className="soft small">
              {formatTime(at)} · {formatNumber(latencyMs)} ms
            </span>
          </div>
          {error !== null && <p className="small soft">{error}</p>}
          {body !== '' && <pre className="json">{body}</pre>}
        </li>
      ))}
    </ol>
  );
}

function Content({ delivery }: { readonly delivery: Delivery }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say } = useToasts();
  const { id: messageId, state, serviceName, createdAt, nextAttemptAt, payload, attempts } = delivery;
  const resending = useMutation({
    mutationFn: () => resend(accountName, { messageIds: [messageId] }),
    onSuccess: ({ resent }) => {
      say(resent === 1 ? 'It is sent again' : 'It is already waiting, or has no listener');
      return queries.invalidateQueries({ queryKey: ['callbacks'] });
    },
  });
  return (
    <div className="stack">
      <div className="row">
        <StateBadge state={state} />
        <strong>{serviceName}</strong>
        <span className="soft small">{formatTime(createdAt)}</span>
        {nextAttemptAt !== null && (
          <span className="soft small">
            next attempt <TimeAgo at={nextAttemptAt} />
          </span>
        )}
        {state === 'failed' && mayChange(session, 'callbacks') && (
          <Button kind="main" onClick={() => resending.mutate()} busy={resending.isPending}>
            Re-send this one
          </Button>
        )}
      </div>
      {resending.isError && <ErrorText error={resending.error} />}
      <section className="stack" style={{ gap: 6 }}>
        <h3>Body</h3>
        <pre className="json">{JSON.stringify(payload, null, 2)}</pre>
      </section>
      <section className="stack" style={{ gap: 6 }}>
        <h3>Attempts</h3>
        <Attempts attempts={attempts} />
      </section>
    </div>
  );
}

export function DeliveryDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const accountName = useAccount();
  const delivery = useQuery({
    queryKey: ['callbacks', accountName, 'delivery', id],
    queryFn: ({ signal }) => readDelivery(accountName, id, signal),
  });
  return (
    <Dialog title="Callback" wide onClose={onClose}>
      <ReadProblem error={delivery.error} data={delivery.data} retry={() => void delivery.refetch()} />
      {delivery.isPending && <Skeleton height={280} />}
      {delivery.data && <Content delivery={delivery.data} />}
    </Dialog>
  );
}
