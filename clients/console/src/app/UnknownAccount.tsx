import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listAccounts } from '../api/session.ts';
import { Empty } from '../parts/states.tsx';
import { useSession } from './session.tsx';

/** Whether the account of the address is none of the viewer's; false as long as nobody knows. */
export function useIsUnknown(accountName: string | undefined): boolean {
  const found = useQuery({
    // The same that the switcher shows the name by.
    queryKey: ['accounts', accountName ?? ''],
    queryFn: ({ signal }) => listAccounts(accountName!, signal),
    enabled: accountName !== undefined,
  });
  return found.data !== undefined && !found.data.accounts.some((one) => one.accountName === accountName);
}

export function UnknownAccount({ accountName }: { readonly accountName: string | undefined }) {
  const { kind, homeAccount } = useSession();
  return (
    <Empty title={kind === 'user' ? 'This account is none of yours' : 'There is no such account'}>
      <p>
        {accountName}
        {kind === 'user' && ' is another customer’s, or does not exist.'}
      </p>
      {homeAccount !== null && <Link href={`/accounts/${homeAccount}/overview`}>Go to {homeAccount}</Link>}
      <p>Or choose an account at the top.</p>
    </Empty>
  );
}
