import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { onSignedOut, statusOf } from '../api/client.ts';
import { readSession, type Session } from '../api/session.ts';
import { Problem } from '../parts/states.tsx';
import { forgetAccount, viewerOf } from './last-account.ts';
import { SignIn } from './SignIn.tsx';
import { forgetSelection } from './selection.ts';

const SessionContext = createContext<Session | undefined>(undefined);

/** The current session; works only inside `SignedIn`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('no session here');
  return session;
}

/** Operators need a key with the scope. */
export const mayAs = ({ kind, scopes }: Session, scope: string): boolean =>
  kind === 'operator' && (scopes.includes(scope) || scopes.includes('admin'));

/** Users may change their own data; operators need the scope. */
export const mayChange = (session: Session, scope: string): boolean =>
  session.kind === 'user' || mayAs(session, scope);

/** Who may approve or reject the pending actions of triggers. */
export const mayDecide = (session: Session): boolean => mayChange(session, 'admin');

/** Removes everything that the session read from this browser. */
export function forgetSession(queries: QueryClient): void {
  forgetAccount();
  forgetSelection();
  queries.setQueryData(['session'], null);
  queries.removeQueries({ predicate: ({ queryKey: [topic] }) => topic !== 'session' });
}

/** Whether a second viewer has signed in and still sees the first one's page. */
function useLastViewer(session: Session | null | undefined) {
  const [location] = useLocation();
  const [last, setLast] = useState<string | undefined>();
  const viewer = session == null ? undefined : viewerOf(session);
  const isElsewhere = viewer !== undefined && last !== undefined && last !== viewer && location !== '/';
  useEffect(() => {
    if (viewer !== undefined && !isElsewhere) setLast(viewer);
  }, [viewer, isElsewhere]);
  return { isElsewhere, hadSession: last !== undefined };
}

/** Retry interval while the session is unknown, because nothing else retries then. */
const AGAIN_MS = 3_000;

export function SignedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => readSession(signal).catch(nobodyAt401),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    refetchInterval: ({ state }) =>
      state.data === undefined && statusOf(state.error) === 0 ? AGAIN_MS : false,
  });
  const { data } = session;
  useEffect(() => onSignedOut(() => forgetSession(queries)), [queries]);
  const { isElsewhere, hadSession } = useLastViewer(data);
  if (session.isPending) return null;
  if (data === undefined) return <Gone error={session.error} retry={() => void session.refetch()} />;
  if (data === null) return <SignIn hasEnded={hadSession} onDone={() => void queries.resetQueries()} />;
  if (isElsewhere) return <Redirect to="/" replace />;
  return <SessionContext value={data}>{children}</SessionContext>;
}

function Gone({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <div className="sign-in">
      <main>
        <Problem error={error} retry={retry} />
        <p className="soft small">The page continues when the service answers again.</p>
      </main>
    </div>
  );
}

function nobodyAt401(error: unknown): null {
  if (statusOf(error) === 401) return null;
  throw error;
}
