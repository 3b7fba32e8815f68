import { useState } from 'react';
import { createUser, setAccounts, switchUser, type User } from '../../api/access.ts';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { TextArea, TextField } from '../../parts/fields.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useAccessChange } from './use-access-change.ts';
import { useIsLocked } from './user-state.tsx';

const linesOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((one) => one !== '');
/** Accounts listed for a user. Saving replaces the whole list, so a longer one cannot be edited here. */
const ACCOUNTS_SHOWN = 1_000;

interface Written {
  readonly username: string;
  readonly accounts: readonly string[];
}

/** The form for a new user's name and accounts, or an existing user's accounts. */
function UserForm({
  user,
  onClose,
  onMade,
}: {
  readonly user: User | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: { readonly username: string; readonly password: string }) => void;
}) {
  const saving = useAccessChange(
    async ({ username, accounts }: Written) => {
      if (user === undefined) return createUser(username, accounts);
      await setAccounts(username, accounts);
      return '';
    },
    () => (user === undefined ? undefined : 'Accounts changed'),
  );
  const isTaken = saving.isSuccess && saving.data === undefined;
  const save = (form: FormData) => {
    const username = user?.username ?? String(form.get('username')).trim();
    const written = { username, accounts: linesOf(String(form.get('accounts') ?? '')) };
    saving.mutate(written, {
      onSuccess: (password) => {
        if (user !== undefined) onClose();
        else if (password !== undefined) onMade({ username, password });
      },
    });
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save(new FormData(event.currentTarget));
      }}
    >
      {user === undefined && (
        <TextField
          label="Name"
          name="username"
          required
          maxLength={128}
          autoComplete="off"
          problem={isTaken ? 'A user with this name already exists.' : undefined}
          data-first-focus
        />
      )}
      <TextArea
        label="Accounts"
        name="accounts"
        defaultValue={user?.accounts.join('\n')}
        hint="One per line; the first is the home account. The user loses all other accounts."
      />
      {saving.isError && <ErrorText error={saving.error} />}
      <div className="form-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" type="submit" busy={saving.isPending}>
          {user === undefined ? 'Create' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

type Asked = 'password' | 'disable';

/** Actions on a user, some after a confirmation. */
function UserActions({
  user,
  onAsk,
  onClose,
}: {
  readonly user: User;
  readonly onAsk: (what: Asked) => void;
  readonly onClose: () => void;
}) {
  const { username, disabledAt } = user;
  const isLocked = useIsLocked(user);
  const switching = useAccessChange(
    (what: 'enable' | 'unlock') => switchUser(username, what),
    (what) => `${username} is ${what === 'enable' ? 'enabled' : 'unlocked'}`,
  );
  const doIt = (what: 'enable' | 'unlock') => switching.mutate(what, { onSuccess: onClose });
  return (
    <div className="row">
      <Button onClick={() => onAsk('password')}>New password</Button>
      {isLocked && (
        <Button busy={switching.isPending} onClick={() => doIt('unlock')}>
          Unlock
        </Button>
      )}
      {disabledAt === null ? (
        <Button kind="danger" onClick={() => onAsk('disable')}>
          Disable
        </Button>
      ) : (
        <Button busy={switching.isPending} onClick={() => doIt('enable')}>
          Enable
        </Button>
      )}
      {switching.isError && <ErrorText error={switching.error} />}
    </div>
  );
}

export function UserDialog({
  user,
  mayImport,
  onAsk,
  onClose,
}: {
  readonly user: User | undefined;
  /** Whether the viewer may change the accounts. */
  readonly mayImport: boolean;
  readonly onAsk?: (what: Asked) => void;
  readonly onClose: () => void;
}) {
  const [made, setMade] = useState<{ readonly username: string; readonly password: string } | undefined>();
  if (made !== undefined)
    return (
      <ShownOnce title={`${made.username} may sign in`} secret={made.password} onClose={onClose}>
        <p>This is the password of {made.username}. It is shown only once.</p>
      </ShownOnce>
    );
  const isWhole = (user?.accounts.length ?? 0) < ACCOUNTS_SHOWN;
  return (
    <Dialog title={user === undefined ? 'New user' : `User ${user.username}`} onClose={onClose}>
      <div className="stack">
        {user !== undefined && onAsk !== undefined && (
          <UserActions user={user} onAsk={onAsk} onClose={onClose} />
        )}
        {mayImport && isWhole && <UserForm user={user} onClose={onClose} onMade={setMade} />}
        {!isWhole && (
          <p className="small soft">This user has too many accounts to edit here. Use a fleet document.</p>
        )}
      </div>
    </Dialog>
  );
}
