import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listAccounts } from '../api/session.ts';
import { Empty } from '../parts/states.tsx';
import { useSession } from './session.tsx';

/** Whether the viewer lacks the account in the address; false until that is known. */
export function useIsUnknown(accountName: string | undefined): boolean {
  const found = useQuery({
    // The same key as in the account switcher, so both share one query.
    queryKey: ['accounts', accountName ?? ''],
    queryFn: ({ signal }) => listAccounts(accountName!, signal),
    enabled: accountName !== undefined,
  });
  return found.data !== undefined && !found.data.accounts.some((one) => one.accountName === accountName);
}

export function UnknownAccount({ accountName }: { readonly accountName: string | undefined }) {
  const { kind, homeAccount } = useSession();
  return (
    <Empty title={kind === 'user' ? 'You have no access to this account' : 'Account not found'}>
      <p>
        {accountName}
        {kind === 'user' && ' does not exist or belongs to another customer.'}
      </p>
      {homeAccount !== null && <Link href={`/accounts/${homeAccount}/overview`}>Go to {homeAccount}</Link>}
      <p>You can also choose an account at the top.</p>
    </Empty>
  );
}
