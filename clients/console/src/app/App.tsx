import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { statusOf } from '../api/client.ts';
import { Empty, Skeleton } from '../parts/states.tsx';
import { ToastProvider } from '../parts/toasts.tsx';
import { AccountContext } from './account.tsx';
import { ClockProvider } from './clock.tsx';
import { Failure } from './Failure.tsx';
import { LiveProvider } from './live.tsx';
import { PAGES } from './page.ts';
import { Shell } from './Shell.tsx';
import { SignedIn, useSession } from './session.tsx';

const FRESH_MS = 10_000;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // A refusal stays a refusal; only what may pass is asked for again.
      retry: (count, error) => count < 2 && (statusOf(error) === 0 || statusOf(error) >= 500),
    },
  },
});

const ACCOUNT_IN_PATH = /^\/accounts\/([^/]+)/;
const LAST_ACCOUNT = 'linekeeper.account';

/** The account in the address, or the one that was looked at last: pages about no account keep the navigation whole. */
function useAccountOfPath(home: string | null): string | undefined {
  const [location] = useLocation();
  const named = ACCOUNT_IN_PATH.exec(location)?.[1];
  // An emptied sandbox has no account, whatever was looked at before.
  if (named === undefined) return home === null ? undefined : (sessionStorage.getItem(LAST_ACCOUNT) ?? home);
  sessionStorage.setItem(LAST_ACCOUNT, decodeURIComponent(named));
  return decodeURIComponent(named);
}

function Pages() {
  const session = useSession();
  const accountName = useAccountOfPath(session.homeAccount);
  const [location] = useLocation();
  const pages = PAGES.filter(({ isFor }) => isFor?.(session) ?? true);
  const start = accountName === undefined ? '/welcome' : `/accounts/${accountName}/overview`;
  return (
    <LiveProvider accountName={accountName}>
      <Shell accountName={accountName}>
        <Failure key={location}>
          <Suspense fallback={<Skeleton height={480} />}>
            <AccountContext value={accountName}>
              <Switch>
                <Route path="/">
                  <Redirect to={start} replace />
                </Route>
                {pages.map(({ path, about, Component }) => (
                  <Route key={path} path={about === 'account' ? `/accounts/:accountName${path}` : path}>
                    <Component />
                  </Route>
                ))}
                <Route>
                  <Empty
                    title={location === '/welcome' ? 'There is no account yet' : 'There is no such page'}
                  >
                    <p>
                      {location === '/welcome' ? (
                        'Import a fleet to begin.'
                      ) : (
                        <a href="/">Go to the overview</a>
                      )}
                    </p>
                  </Empty>
                </Route>
              </Switch>
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
