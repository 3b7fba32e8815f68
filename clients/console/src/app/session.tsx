import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { onSignedOut, statusOf } from '../api/client.ts';
import { readSession, type Session } from '../api/session.ts';
import { Problem } from '../parts/states.tsx';
import { SignIn } from './SignIn.tsx';

const SessionContext = createContext<Session | undefined>(undefined);

/** Who is signed in; only below `SignedIn`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('nobody is signed in here');
  return session;
}

/** Operators may do what their key has the scope for. */
export const mayAs = ({ kind, scopes }: Session, scope: string): boolean =>
  kind === 'operator' && (scopes.includes(scope) || scopes.includes('admin'));

/** Users may change what is theirs; operators need the scope. */
export const mayChange = (session: Session, scope: string): boolean =>
  session.kind === 'user' || mayAs(session, scope);

export function SignedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => readSession(signal).catch(nobodyAt401),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  useEffect(() => onSignedOut(() => queries.setQueryData(['session'], null)), [queries]);
  if (session.isPending) return null;
  if (session.isError) return <Problem error={session.error} retry={() => void session.refetch()} />;
  if (session.data === null) return <SignIn onDone={() => void queries.resetQueries()} />;
  return <SessionContext value={session.data}>{children}</SessionContext>;
}

function nobodyAt401(error: unknown): null {
  if (statusOf(error) === 401) return null;
  throw error;
}
