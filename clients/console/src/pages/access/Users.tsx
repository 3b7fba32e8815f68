import { useMemo, useRef, useState } from 'react';
import { listUsers, resetPassword, switchUser, type User } from '../../api/access.ts';
import { useNow } from '../../app/clock.tsx';
import { mayAs, useSession } from '../../app/session.tsx';
import { useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatDay } from '../../text/format.ts';
import { ListHead } from './ListHead.tsx';
import { UserDialog } from './UserDialog.tsx';
import { useAccessChange } from './use-access-change.ts';
import { stateOf, UserState } from './user-state.tsx';

const columnsOf = (
  open: ((user: User) => void) | undefined,
  nowOf: () => number,
): readonly Column<User>[] => [
  {
    title: 'User',
    width: 'minmax(140px, 1fr)',
    sortBy: ({ username }) => username,
    cell: (user) =>
      open === undefined ? (
        user.username
      ) : (
        <button type="button" className="row-link" onClick={() => open(user)}>
          {user.username}
        </button>
      ),
  },
  {
    title: 'State',
    width: '120px',
    sortBy: (user) => stateOf(user, nowOf()),
    cell: (user) => <UserState user={user} />,
  },
  {
    title: 'Accounts, the home account first',
    wide: true,
    width: 'minmax(200px, 2fr)',
    text: ({ accounts }) => accounts.join(', '),
    cell: ({ accounts }) => (
      <span className="mono" title={accounts.join(', ')}>
        {accounts.length === 0 ? '–' : accounts.join(', ')}
      </span>
    ),
  },
  {
    title: 'Since',
    wide: true,
    width: '120px',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

/** Asks before ending sessions, and shows a new password once. */
function Ask({
  what,
  user: { username },
  onClose,
}: {
  readonly what: 'password' | 'disable';
  readonly user: User;
  readonly onClose: () => void;
}) {
  const asking = useAccessChange(
    async () =>
      what === 'password' ? resetPassword(username) : void (await switchUser(username, 'disable')),
    () => (what === 'disable' ? `${username} is disabled` : undefined),
  );
  if (asking.data !== undefined)
    return (
      <ShownOnce title={`The new password of ${username}`} secret={asking.data} onClose={onClose}>
        <p>It is shown only once. Send it to the user over a private channel.</p>
      </ShownOnce>
    );
  return (
    <ConfirmDialog
      title={what === 'password' ? `New password for ${username}?` : `Disable ${username}?`}
      action={what === 'password' ? 'Create a new password' : 'Disable'}
      busy={asking.isPending}
      error={asking.error}
      onConfirm={() => asking.mutate(undefined, { onSuccess: (made) => made === undefined && onClose() })}
      onClose={onClose}
    >
      <p>
        {what === 'password'
          ? 'The old password and all sessions of this user end at once.'
          : 'All sessions of this user end at once. The accounts stay unchanged.'}
      </p>
    </ConfirmDialog>
  );
}

type Asked =
  | { readonly what: 'edit' | 'password' | 'disable'; readonly user: User }
  | { readonly what: 'new' };

export function Users() {
  const session = useSession();
  const { typed, setTyped, settled } = useTypedFilter('user');
  const [asked, setAsked] = useState<Asked | undefined>();
  const close = () => setAsked(undefined);
  const mayChange = mayAs(session, 'users');
  const mayImport = mayChange && mayAs(session, 'fleet');
  const users = usePages(['access', 'users', settled], (mark, signal) => listUsers(settled, mark, signal));
  // Locks expire with time. The columns read it through a ref, so that they are not recreated every second.
  const now = useRef(0);
  now.current = useNow();
  const columns = useMemo(
    () => columnsOf(mayChange ? (user) => setAsked({ what: 'edit', user }) : undefined, () => now.current),
    [mayChange],
  );
  return (
    <div className="card with-bar">
      <ListHead label="The name begins with" typed={typed} onType={setTyped}>
        {mayImport && (
          <Button kind="main" onClick={() => setAsked({ what: 'new' })}>
            New user
          </Button>
        )}
      </ListHead>
      <PagedTable
        label="Users"
        file="users"
        columns={columns}
        list={users}
        rowsOf={(page) => page.users}
        keyOf={({ username }) => username}
        height="fill"
        minWidth={760}
        empty={<Empty title={settled === '' ? 'No users yet' : 'No user has this name'} />}
      />
      {asked?.what === 'new' && <UserDialog user={undefined} mayImport onClose={close} />}
      {asked?.what === 'edit' && (
        <UserDialog
          user={asked.user}
          mayImport={mayImport}
          onAsk={(what) => setAsked({ what, user: asked.user })}
          onClose={close}
        />
      )}
      {(asked?.what === 'password' || asked?.what === 'disable') && (
        <Ask what={asked.what} user={asked.user} onClose={close} />
      )}
    </div>
  );
}
