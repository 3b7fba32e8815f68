import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Account, type Belongings, deleteAccount, readBelongings } from '../../api/customers.ts';
import { forgetAccount, recallAccount } from '../../app/last-account.ts';
import { useSession } from '../../app/session.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatCount } from '../../text/format.ts';
import { DeleteForGood } from './DeleteForGood.tsx';

const HEIGHT = 150;

function Goes({ devices, users, hasMoreUsers, listeners, usageTriggers }: Belongings) {
  const lines = formatCount(devices.count, 'line', 'lines');
  return (
    <ul className="bullets" aria-label="Deleted data">
      <li>
        {devices.exact ? lines : `More than ${lines}`}, with usage, bills, requests, positions and consents
      </li>
      <li>{formatCount(listeners, 'listener', 'listeners')}, and their waiting callbacks</li>
      <li>
        {formatCount(usageTriggers, 'trigger', 'triggers')} on service usage, and price plan triggers that
        watch only this account
      </li>
      <li>
        {users.length === 0
          ? 'No user loses an account'
          : `The access of ${users.join(', ')}${hasMoreUsers ? ' and others' : ''} to it`}
      </li>
    </ul>
  );
}

export function DeleteDialog({
  account: { accountName, organizationName },
  onClose,
}: {
  readonly account: Account;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const session = useSession();
  const { say } = useToasts();
  const belongings = useQuery({
    queryKey: ['customers', accountName, 'belongings'],
    queryFn: ({ signal }) => readBelongings(accountName, signal),
    staleTime: 0,
  });
  const deleting = useMutation({
    mutationFn: () => deleteAccount(accountName),
    onSuccess: () => {
      say(`Account ${accountName} deleted`);
      if (recallAccount(session) === accountName) forgetAccount();
      onClose();
      return queries.invalidateQueries();
    },
  });
  return (
    <DeleteForGood
      title={`Delete account ${accountName}`}
      word={accountName}
      question={`This deletes the account${organizationName ? ` of ${organizationName}` : ''} and all its data.`}
      deleting={deleting}
      belongings={belongings}
      height={HEIGHT}
      onClose={onClose}
    >
      {(known) => <Goes {...known} />}
    </DeleteForGood>
  );
}
