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
    <ul className="bullets" aria-label="Deleted data">
      <li>{formatCount(accountCount, 'account', 'accounts')}</li>
      <li>
        {devices > LINES_COUNTED ? `More than ${counted}` : counted}, with usage, bills, requests, positions
        and consents
      </li>
      <li>{formatCount(listeners, 'listener', 'listeners')}, and their waiting callbacks</li>
      <li>{formatCount(triggers, 'trigger', 'triggers')}, with their firings</li>
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

/** Shows the progress. The deletion continues when the dialog is closed. */
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
        <p className="soft">
          You can close this dialog. The deletion continues in the background, even after a restart of the
          service.
        </p>
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
          An earlier deletion failed: {deletion.lastError ?? 'unknown reason'}. You can try it again.
        </p>
      )}
      <Goes {...customer} />
    </>
  );
}

/** Lists what is deleted with a customer, deletes it, and shows the progress of any running deletion. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the customer is deleted
  useEffect(() => {
    if (!isGone) return;
    say(`Customer ${ecpdId} deleted`);
    // The last account viewed may have belonged to it.
    forgetAccount();
    onClose();
    void queries.invalidateQueries();
  }, [isGone]);
  if (data && isUnderWay(data)) return <UnderWay customer={data} onClose={onClose} />;
  return (
    <DeleteForGood
      title={`Delete customer ${ecpdId}`}
      word={ecpdId}
      question="This deletes the customer, all its accounts and all their data."
      deleting={deleting}
      belongings={customer}
      height={HEIGHT}
      onClose={onClose}
    >
      {(known) => <Belongings customer={known} />}
    </DeleteForGood>
  );
}
