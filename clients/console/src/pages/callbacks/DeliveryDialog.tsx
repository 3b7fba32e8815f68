import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Delivery, readDelivery, resendPart } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { StateBadge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { ErrorText, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatTime } from '../../text/format.ts';
import { AttemptList } from './AttemptList.tsx';

function Content({ delivery }: { readonly delivery: Delivery }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say } = useToasts();
  const { id: messageId, state, serviceName, createdAt, nextAttemptAt, payload, attempts } = delivery;
  const resending = useMutation({
    // A re-sent callback no longer counts as failed, so repeating the call sends it only once.
    mutationFn: () =>
      resendPart(accountName, { messageIds: [messageId] }, { after: undefined, key: crypto.randomUUID() }),
    onSuccess: ({ resent }) => {
      say(resent === 1 ? 'Callback re-sent' : 'Already waiting, or without a listener');
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
            Re-send
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
        <AttemptList messageId={messageId} attempts={attempts} />
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
