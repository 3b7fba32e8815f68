import { useMemo, useState } from 'react';
import { type Client, createClient, listClients, rotateSecret, switchClient } from '../../api/access.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Empty, ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatDay } from '../../text/format.ts';
import { ListHead } from './ListHead.tsx';
import { useAccessChange } from './use-access-change.ts';

type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'secret' | 'disable' | 'enable'; readonly clientId: string };

const stateOf = ({ disabledAt }: Client): string => (disabledAt === null ? 'May request tokens' : 'Disabled');

const FACTS: readonly Column<Client>[] = [
  {
    title: 'Application',
    width: 'minmax(120px, 2fr)',
    sortBy: ({ clientId }) => clientId,
    cell: ({ clientId }) => clientId,
  },
  {
    title: 'State',
    wide: true,
    width: '155px',
    sortBy: stateOf,
    cell: (client) => <Badge tone={client.disabledAt === null ? 'good' : 'bad'}>{stateOf(client)}</Badge>,
  },
  {
    title: 'Since',
    wide: true,
    width: '120px',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

const columnsOf = (ask: ((asked: Asked) => void) | undefined): readonly Column<Client>[] =>
  ask === undefined
    ? FACTS
    : [
        ...FACTS,
        {
          title: '',
          width: '210px',
          align: 'right',
          cell: ({ clientId, disabledAt }) => {
            const what = disabledAt === null ? 'disable' : 'enable';
            const label = disabledAt === null ? 'Disable' : 'Enable';
            return (
              <span className="row row-actions">
                <Button
                  kind="plain"
                  aria-label={`New secret of ${clientId}`}
                  onClick={() => ask({ what: 'secret', clientId })}
                >
                  New secret
                </Button>
                <Button
                  kind="plain"
                  aria-label={`${label} ${clientId}`}
                  onClick={() => ask({ what, clientId })}
                >
                  {label}
                </Button>
              </span>
            );
          },
        },
      ];

function Secret({
  clientId,
  secret,
  onClose,
}: {
  readonly clientId: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <ShownOnce title={`The secret of ${clientId}`} secret={secret} onClose={onClose}>
      <p>The application uses it to request tokens. It is shown only once.</p>
    </ShownOnce>
  );
}

function NewDialog({ onClose }: { readonly onClose: () => void }) {
  const [clientId, setClientId] = useState('');
  const making = useAccessChange(createClient, () => undefined);
  if (making.data !== undefined) return <Secret clientId={clientId} secret={making.data} onClose={onClose} />;
  return (
    <Dialog title="New application" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate(clientId);
        }}
      >
        <TextField
          label="Name"
          value={clientId}
          required
          pattern="[^:\s]{1,128}"
          title="Without spaces and colons"
          maxLength={128}
          autoComplete="off"
          hint="The client_id. The service creates the secret."
          problem={making.isSuccess ? 'An application with this name already exists.' : undefined}
          onChange={(event) => {
            setClientId(event.target.value);
            making.reset();
          }}
          data-first-focus
        />
        {making.isError && <ErrorText error={making.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={making.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function SecretDialog({ clientId, onClose }: { readonly clientId: string; readonly onClose: () => void }) {
  const [atOnce, setAtOnce] = useState(false);
  const rotating = useAccessChange(
    () => rotateSecret(clientId, atOnce),
    () => undefined,
  );
  if (rotating.data !== undefined)
    return <Secret clientId={clientId} secret={rotating.data} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`New secret for ${clientId}?`}
      action="Create a new secret"
      kind="main"
      busy={rotating.isPending}
      error={rotating.error}
      onConfirm={() => rotating.mutate(undefined)}
      onClose={onClose}
    >
      <p>The old secret works for 24 more hours, so that you can update the application.</p>
      <CheckField
        label="The old secret has leaked: end it and its token now"
        checked={atOnce}
        onChange={(event) => setAtOnce(event.target.checked)}
      />
    </ConfirmDialog>
  );
}

function DisableDialog({ clientId, onClose }: { readonly clientId: string; readonly onClose: () => void }) {
  const disabling = useAccessChange(
    () => switchClient(clientId, 'disable'),
    () => `${clientId} is disabled`,
  );
  return (
    <ConfirmDialog
      title={`Disable ${clientId}?`}
      action="Disable"
      busy={disabling.isPending}
      error={disabling.error}
      onConfirm={() => disabling.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Its token ends at once. It gets no new one until you enable it again.</p>
    </ConfirmDialog>
  );
}

export function Applications() {
  const session = useSession();
  const { typed, setTyped, settled } = useTypedFilter('application');
  const { complain } = useToasts();
  const [asked, setAsked] = useState<Asked | undefined>();
  const close = () => setAsked(undefined);
  const mayChange = mayAs(session, 'users');
  const enabling = useAccessChange(
    (clientId: string) => switchClient(clientId, 'enable'),
    (clientId) => `${clientId} is enabled`,
  );
  const { mutate: enable } = enabling;
  const columns = useMemo(() => {
    // Enabling an application ends nothing, so it needs no confirmation.
    const ask = (next: Asked) =>
      next.what === 'enable' ? enable(next.clientId, { onError: complain }) : setAsked(next);
    return columnsOf(mayChange ? ask : undefined);
  }, [mayChange, enable, complain]);
  const clients = usePages(['access', 'clients', settled], (mark, signal) =>
    listClients(settled, mark, signal),
  );
  return (
    <div className="card with-bar">
      <ListHead label="The name begins with" typed={typed} onType={setTyped}>
        {mayChange && mayAs(session, 'fleet') && (
          <Button kind="main" onClick={() => setAsked({ what: 'new' })}>
            New application
          </Button>
        )}
      </ListHead>
      <PagedTable
        label="Applications"
        file="applications"
        columns={columns}
        list={clients}
        rowsOf={(page) => page.clients}
        keyOf={({ clientId }) => clientId}
        height="fill"
        minWidth={700}
        empty={<Empty title={settled === '' ? 'No applications yet' : 'No application has this name'} />}
      />
      {asked?.what === 'new' && <NewDialog onClose={close} />}
      {asked?.what === 'secret' && <SecretDialog clientId={asked.clientId} onClose={close} />}
      {asked?.what === 'disable' && <DisableDialog clientId={asked.clientId} onClose={close} />}
    </div>
  );
}
