import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { deleteCustomer, LINES_COUNTED, readCustomer, type WholeCustomer } from '../../api/customers.ts';
import { forgetAccount } from '../../app/last-account.ts';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatCount } from '../../text/format.ts';
import { DeleteForGood } from './DeleteForGood.tsx';

const HEIGHT = 190;
const READ_MS = 1_000;

const isUnderWay = (customer: WholeCustomer | null | undefined): boolean =>
  customer?.deletion?.state === 'waiting' || customer?.deletion?.state === 'running';

function Goes(customer: WholeCustomer) {
  const { accountCount, devices, users, listeners, triggers, ratePlanGroups, notificationGroups } = customer;
  const counted = formatCount(Math.min(devices, LINES_COUNTED), 'device', 'devices');
  return (
    <ul className="bullets" aria-label="What goes">
      <li>{formatCount(accountCount, 'account', 'accounts')}</li>
      <li>
        {devices > LINES_COUNTED ? `More than ${counted}` : counted}, with usage, bills, requests, positions
        and consents
      </li>
      <li>{formatCount(listeners, 'listener', 'listeners')}, and callbacks that wait for them</li>
      <li>{formatCount(triggers, 'trigger', 'triggers')}, with what they have fired</li>
      <li>
        {formatCount(ratePlanGroups, 'rate plan group', 'rate plan groups')} and{' '}
        {formatCount(notificationGroups, 'notification group', 'notification groups').toLowerCase()}
      </li>
      <li>
        {users === 0
          ? 'No user loses an account'
          : `The access of ${formatCount(users, 'user', 'users')} to these accounts`}
      </li>
    </ul>
  );
}

/** It goes on by itself: whoever has seen enough may close it. */
function UnderWay({
  customer: { ecpdId, accountCount },
  onClose,
}: {
  readonly customer: WholeCustomer;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`Customer ${ecpdId} is being deleted`} onClose={onClose}>
      <div className="form">
        <p role="status">{formatCount(accountCount, 'account is', 'accounts are')} left.</p>
        <p className="soft">You can close this: the service goes on by itself, also after it was stopped.</p>
        <div className="form-actions">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

function Belongings({ customer }: { readonly customer: WholeCustomer }) {
  const { deletion } = customer;
  return (
    <>
      {deletion?.state === 'failed' && (
        <p className="problem" role="alert">
          An earlier deletion has failed: {deletion.lastError ?? 'the reason is not known'}. You can try it
          again.
        </p>
      )}
      <Goes {...customer} />
    </>
  );
}

/** Says what goes with a customer, deletes it, and shows how far that is, whoever has asked for it. */
export function CustomerDialog({
  ecpdId,
  onClose,
}: {
  readonly ecpdId: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const { say } = useToasts();
  const customer = useQuery({
    queryKey: ['customers', 'one', ecpdId],
    queryFn: ({ signal }) => readCustomer(ecpdId, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? READ_MS : false),
  });
  const deleting = useMutation({
    mutationFn: () => deleteCustomer(ecpdId),
    onSuccess: () => customer.refetch(),
  });
  const { data } = customer;
  const isGone = data === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is gone
  useEffect(() => {
    if (!isGone) return;
    say(`Customer ${ecpdId} is deleted`);
    // The account that was looked at last may have been one of it.
    forgetAccount();
    onClose();
    void queries.invalidateQueries();
  }, [isGone]);
  if (data && isUnderWay(data)) return <UnderWay customer={data} onClose={onClose} />;
  return (
    <DeleteForGood
      title={`Delete customer ${ecpdId}`}
      word={ecpdId}
      question="This deletes the customer, all its accounts and everything that belongs to them."
      deleting={deleting}
      belongings={customer}
      height={HEIGHT}
      onClose={onClose}
    >
      {(known) => <Belongings customer={known} />}
    </DeleteForGood>
  );
}
