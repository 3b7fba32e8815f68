import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { listAccounts } from '../api/session.ts';
import { ICONS, Icon } from '../parts/Icon.tsx';
import { Popover } from '../parts/Popover.tsx';
import { Empty, ErrorText } from '../parts/states.tsx';

function AccountList({
  current,
  onPick,
}: {
  readonly current: string | undefined;
  readonly onPick: (name: string) => void;
}) {
  const [search, setSearch] = useState('');
  const found = useQuery({
    queryKey: ['accounts', search],
    queryFn: ({ signal }) => listAccounts(search, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <input
        className="input"
        type="search"
        aria-label="Find an account"
        placeholder="Find by number or name"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        // biome-ignore lint/a11y/noAutofocus: the user pressed the button to search
        autoFocus
      />
      <div className="option-list">
        {found.isError && <ErrorText error={found.error} />}
        {found.data?.accounts.length === 0 && <Empty title="No account found" />}
        {found.data?.accounts.map(({ accountName, organizationName }) => (
          <button
            key={accountName}
            type="button"
            className="option"
            aria-current={accountName === current}
            onClick={() => onPick(accountName)}
          >
            <span>{organizationName ?? accountName}</span>
            <span className="mono soft small">{accountName}</span>
          </button>
        ))}
        {found.data?.next !== undefined && <p className="small soft">Type to find others.</p>}
      </div>
    </>
  );
}

/** Another account, the same page. */
export function AccountSwitcher({ accountName }: { readonly accountName: string | undefined }) {
  const [location, go] = useLocation();
  const pick = (name: string) => {
    const [page = 'overview'] = /^\/accounts\/[^/]+\/([^/]+)/.exec(location)?.slice(1) ?? [];
    go(`/accounts/${name}/${page}`);
  };
  const named = useQuery({
    queryKey: ['accounts', accountName ?? ''],
    queryFn: ({ signal }) => listAccounts(accountName ?? '', signal),
    enabled: accountName !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const organization = named.data?.accounts.find((one) => one.accountName === accountName)?.organizationName;
  return (
    <Popover
      label={`Account ${accountName ?? 'not chosen: Choose an account'} ${organization ?? ''}`.trim()}
      button={
        <>
          {/* The visual order is reversed, so that screen readers begin with the number. */}
          <span className="account-shown">
            <span className="mono account-number">{accountName ?? 'Choose an account'}</span>{' '}
            {organization != null && <span className="wide-only">{organization}</span>}
          </span>
          <Icon d={ICONS.chevron} size={16} />
        </>
      }
    >
      {(close) => (
        <AccountList
          current={accountName}
          onPick={(name) => {
            close();
            pick(name);
          }}
        />
      )}
    </Popover>
  );
}
