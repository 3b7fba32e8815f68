import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listDevices } from '../api/devices.ts';
import { listAccounts, signOut } from '../api/session.ts';
import { TOOLS } from '../sandbox/tools.ts';
import { maySteer, useClockMove, useFreeze } from '../sandbox/use-clock-move.ts';
import { PAGES, pathOf } from './page.ts';
import { useSession } from './session.tsx';
import { toggleTheme } from './theme.ts';

export interface Entry {
  readonly key: string;
  readonly group: 'Pages' | 'Actions' | 'Devices' | 'Accounts';
  readonly label: string;
  readonly note?: string | undefined;
  /** An address to open or a function to run. */
  readonly go: string | (() => void);
}

const SHOWN_OF_EACH = 6;
const SEARCH_FROM = 2;

const fits = (label: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word));

function usePages(accountName: string | undefined): readonly Entry[] {
  const session = useSession();
  const pages = PAGES.filter(
    ({ about, isFor }) => (about === 'console' || accountName !== undefined) && (isFor?.(session) ?? true),
  ).map((page): Entry => {
    const go = pathOf(page, accountName);
    return { key: go, group: 'Pages', label: page.title, go };
  });
  const tools = TOOLS.map(({ id, label }): Entry => {
    const go = `/sandbox/${id}`;
    return { key: go, group: 'Pages', label: `Sandbox: ${label}`, go };
  });
  return maySteer(session) ? [...pages, ...tools] : pages;
}

function useActions(): readonly Entry[] {
  const session = useSession();
  const moving = useClockMove();
  const freezing = useFreeze();
  const act = (label: string, go: () => void): Entry => ({ key: label, group: 'Actions', label, go });
  return [
    act('Switch between light and dark', toggleTheme),
    act('Sign out', () => void signOut().then(() => location.assign('/'))),
    ...(maySteer(session)
      ? [
          act('Advance the clock by 5 minutes', () => moving.mutate({ advance: 'PT5M' })),
          act('Advance the clock by 1 hour', () => moving.mutate({ advance: 'PT1H' })),
          act('Advance the clock by 1 day', () => moving.mutate({ advance: 'P1D' })),
          act(session.frozen ? 'Unfreeze the clock' : 'Freeze the clock', () =>
            freezing.mutate(!session.frozen),
          ),
        ]
      : []),
  ];
}

/** Devices of the account, and accounts, that match the search. */
function useFound(accountName: string | undefined, search: string): readonly Entry[] {
  const isLong = search.length >= SEARCH_FROM;
  const devices = useQuery({
    queryKey: ['devices', accountName, 'palette', search],
    queryFn: ({ signal }) => listDevices(accountName!, { search, limit: SHOWN_OF_EACH }, signal),
    enabled: accountName !== undefined && isLong,
    placeholderData: keepPreviousData,
  });
  const accounts = useQuery({
    queryKey: ['accounts', search],
    queryFn: ({ signal }) => listAccounts(search, signal),
    enabled: isLong,
    placeholderData: keepPreviousData,
  });
  if (!isLong) return [];
  return [
    ...(devices.data?.devices ?? []).slice(0, SHOWN_OF_EACH).map(
      ({ deviceId, name, ids }): Entry => ({
        key: deviceId,
        group: 'Devices',
        label: name ?? ids[0]?.id ?? deviceId,
        note: name === null ? undefined : ids[0]?.id,
        go: `/accounts/${accountName}/devices/${deviceId}`,
      }),
    ),
    ...(accounts.data?.accounts ?? []).slice(0, SHOWN_OF_EACH).map(
      (account): Entry => ({
        key: account.accountName,
        group: 'Accounts',
        label: account.organizationName ?? account.accountName,
        note: account.accountName,
        go: `/accounts/${account.accountName}/overview`,
      }),
    ),
  ];
}

/** All search results, pages first. */
export function useEntries(accountName: string | undefined, search: string): readonly Entry[] {
  const known = [...usePages(accountName), ...useActions()].filter(({ label }) => fits(label, search));
  return [...known, ...useFound(accountName, search)];
}
