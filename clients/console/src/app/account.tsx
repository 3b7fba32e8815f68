import { createContext, useContext } from 'react';

/** The account that pages under /accounts/:accountName are about. */
export const AccountContext = createContext<string | undefined>(undefined);

export function useAccount(): string {
  const account = useContext(AccountContext);
  if (account === undefined) throw new Error('this page has no account');
  return account;
}
