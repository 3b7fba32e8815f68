import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { createKey, deleteKey, listKeys, type OperatorKey, type Scope } from '../../api/access.ts';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Empty, ErrorText, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { formatDay } from '../../text/format.ts';
import { useAccessChange } from './use-access-change.ts';

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['read', 'Read: see everything'],
  ['fleet', 'Fleet: import, export and change accounts, plans and devices'],
  ['feed', 'Feed: send usage, positions and readings'],
  ['callbacks', 'Callbacks: pause, re-send and test'],
  ['users', 'Users: passwords, secrets, disable and enable'],
  ['clock', 'Clock: change the time of a sandbox'],
  ['admin', 'Admin: everything, including deletions and operator keys'],
];

const columnsOf = (end: (name: string) => void): readonly Column<OperatorKey>[] => [
  {
    title: 'Key',
    width: 'minmax(110px, 1fr)',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span title={name}>{name}</span>,
  },
  {
    title: 'Scopes',
    width: 'minmax(110px, 2fr)',
    sortBy: ({ scopes }) => scopes.join(', '),
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
  {
    title: 'Created by',
    wide: true,
    width: '160px',
    sortBy: ({ createdBy }) => createdBy,
    cell: ({ createdBy }) => createdBy,
  },
  {
    title: 'Since',
    wide: true,
    width: '120px',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
  {
    title: '',
    width: '90px',
    align: 'right',
    cell: ({ name }) => (
      <Button kind="plain" aria-label={`Delete ${name}`} onClick={() => end(name)}>
        Delete
      </Button>
    ),
  },
];

function NewDialog({ onClose }: { readonly onClose: () => void }) {
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const making = useAccessChange(createKey, () => undefined);
  if (making.data !== undefined)
    return (
      <ShownOnce title={`The operator key ${making.data.name}`} secret={making.data.key} onClose={onClose}>
        <p>Anyone who has it may do what its scopes allow. It is shown only once.</p>
      </ShownOnce>
    );
  return (
    <Dialog title="New operator key" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const name = String(new FormData(event.currentTarget).get('name')).trim();
          making.mutate({ name, scopes: [...scopes] });
        }}
      >
        <TextField
          label="Name"
          name="name"
          required
          pattern="[A-Za-z0-9._\-]{1,64}"
          title="Letters, digits, dots, dashes and underscores"
          maxLength={64}
          autoComplete="off"
          hint="The audit log shows this name."
          data-first-focus
        />
        <fieldset className="field">
          <legend>Scopes</legend>
          {SCOPES.map(([scope, label]) => (
            <CheckField
              key={scope}
              label={label}
              checked={scopes.includes(scope)}
              onChange={({ target: { checked } }) =>
                setScopes(checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
          ))}
        </fieldset>
        {making.isError && <ErrorText error={making.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={making.isPending} disabled={scopes.length === 0}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function EndDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const session = useSession();
  const ending = useAccessChange(deleteKey, () => `Key ${name} deleted`);
  return (
    <ConfirmDialog
      title={`Delete the key ${name}?`}
      action="Delete key"
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Programs that use it lose access at once, and everyone signed in with it is signed out.</p>
      {name === session.name && <p role="note">You are signed in with this key.</p>}
    </ConfirmDialog>
  );
}

export function Keys() {
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<string | undefined>();
  const keys = useQuery({ queryKey: ['access', 'keys'], queryFn: ({ signal }) => listKeys(signal) });
  const columns = useMemo(() => columnsOf(setEnding), []);
  return (
    <div className="card with-bar">
      <div className="selection-bar">
        <span className="count small soft">
          The first key is a setting of the service and is not listed here.
        </span>
        <Button kind="main" onClick={() => setMaking(true)}>
          New key
        </Button>
      </div>
      <ReadProblem error={keys.error} data={keys.data} retry={() => void keys.refetch()} />
      {(keys.data !== undefined || !keys.isError) && (
        <ToolTable
          label="Operator keys"
          file="operator-keys"
          columns={columns}
          rows={keys.data}
          keyOf={({ name }) => name}
          height="fill"
          minWidth={720}
          empty={<Empty title="Only the first key exists" />}
        />
      )}
      {making && <NewDialog onClose={() => setMaking(false)} />}
      {ending !== undefined && <EndDialog name={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
}
