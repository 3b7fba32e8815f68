import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { statusOf } from '../api/client.ts';
import type { Session } from '../api/session.ts';
import { PageHead } from '../parts/PageHead.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { ToastProvider } from '../parts/toasts.tsx';
import { AccountContext } from './account.tsx';
import { ClockProvider } from './clock.tsx';
import { Failure } from './Failure.tsx';
import { recallAccount, rememberAccount } from './last-account.ts';
import { LiveProvider } from './live.tsx';
import { PAGES, pageAt } from './page.ts';
import { FRESH_MS } from './read-again.ts';
import { Shell } from './Shell.tsx';
import { SignedIn, useSession } from './session.tsx';
import { UnknownAccount, useIsUnknown } from './UnknownAccount.tsx';
import { Welcome } from './Welcome.tsx';

const queries = new QueryClient({
  defaultOptions: {
    // A service on this machine answers even when the browser is offline, so queries always run.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      // A refusal is final; only temporary failures are retried.
      retry: (count, error) => count < 2 && (statusOf(error) === 0 || statusOf(error) >= 500),
    },
  },
});

const ACCOUNT_IN_PATH = /^\/accounts\/([^/]+)/;

/** The account in the address, or the last one viewed, which keeps the navigation complete on pages without an account. */
function useAccountOfPath(session: Session): string | undefined {
  const [location] = useLocation();
  const inPath = ACCOUNT_IN_PATH.exec(location)?.[1];
  const named = inPath === undefined ? undefined : decodeURIComponent(inPath);
  useEffect(() => {
    if (named !== undefined) rememberAccount(session, named);
  }, [session, named]);
  if (named !== undefined) return named;
  // An emptied sandbox has no account, so the last one viewed no longer counts.
  return session.homeAccount === null ? undefined : (recallAccount(session) ?? session.homeAccount);
}

function Pages() {
  const session = useSession();
  const accountName = useAccountOfPath(session);
  const [location] = useLocation();
  // Pages without an account still show when the last account viewed no longer exists.
  const isUnknown = useIsUnknown(accountName) && ACCOUNT_IN_PATH.test(location);
  const pages = PAGES.filter(({ isFor }) => isFor?.(session) ?? true);
  const start = accountName === undefined ? '/welcome' : `/accounts/${accountName}/overview`;
  return (
    <LiveProvider accountName={accountName}>
      <Shell accountName={accountName}>
        <Failure key={`${accountName} ${pageAt(location)?.path}`} place={location}>
          <Suspense fallback={<Skeleton height={480} />}>
            <AccountContext value={accountName}>
              {isUnknown && <UnknownAccount accountName={accountName} />}
              {!isUnknown && (
                <Switch>
                  <Route path="/">
                    <Redirect to={start} replace />
                  </Route>
                  {pages.map(({ path, about, Component }) => (
                    <Route key={path} path={about === 'account' ? `/accounts/:accountName${path}` : path}>
                      <Component />
                    </Route>
                  ))}
                  <Route path="/welcome">
                    <Welcome />
                  </Route>
                  <Route>
                    <PageHead title="Page not found" />
                    <Empty title="No page has this address">
                      <p>
                        <Link href="/">Go to the overview</Link>
                      </p>
                    </Empty>
                  </Route>
                </Switch>
              )}
            </AccountContext>
          </Suspense>
        </Failure>
      </Shell>
    </LiveProvider>
  );
}

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <SignedIn>
          <ClockProvider>
            <Pages />
          </ClockProvider>
        </SignedIn>
      </ToastProvider>
    </QueryClientProvider>
  );
}
