import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteSnapshot,
  listSnapshots,
  makeSnapshot,
  restoreSnapshot,
  type Snapshot,
  startAgain,
} from '../../api/sandbox.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Empty, ErrorText, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatBytes, formatTime } from '../../text/format.ts';

type Asked = { readonly what: 'restore' | 'delete'; readonly name: string } | { readonly what: 'start' };

const QUESTIONS = {
  restore: {
    title: (name: string) => `Restore ${name}?`,
    action: 'Restore',
    text: 'Everything since then is lost, for everyone who uses this sandbox.',
    done: (name: string) => `Snapshot ${name} restored`,
  },
  delete: {
    title: (name: string) => `Delete ${name}?`,
    action: 'Delete snapshot',
    text: 'You can no longer restore it. The sandbox itself does not change.',
    done: (name: string) => `Snapshot ${name} deleted`,
  },
  start: {
    title: () => 'Reset to the start?',
    action: 'Reset',
    text: 'The sandbox returns to its first start, with its first fleet and real time. Everything since is lost.',
    done: () => 'Sandbox reset',
  },
} as const;

const perform = (asked: Asked): Promise<unknown> =>
  asked.what === 'start'
    ? startAgain()
    : asked.what === 'restore'
      ? restoreSnapshot(asked.name)
      : deleteSnapshot(asked.name);

function Ask({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const { say } = useToasts();
  const question = QUESTIONS[asked.what];
  const name = asked.what === 'start' ? '' : asked.name;
  const doing = useMutation({
    mutationFn: () => perform(asked),
    onSuccess: () => {
      say(question.done(name));
      onClose();
      return queries.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      title={question.title(name)}
      action={question.action}
      busy={doing.isPending}
      error={doing.error}
      onConfirm={() => doing.mutate()}
      onClose={onClose}
    >
      <p>{question.text}</p>
    </ConfirmDialog>
  );
}

function MakeForm() {
  const queries = useQueryClient();
  const { say } = useToasts();
  const [name, setName] = useState('');
  const making = useMutation({
    mutationFn: makeSnapshot,
    onSuccess: (made) => {
      say(`Snapshot ${made.name} saved`);
      setName('');
      return queries.invalidateQueries({ queryKey: ['snapshots'] });
    },
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate(name);
      }}
    >
      <div className="row" style={{ alignItems: 'flex-end' }}>
        <TextField
          label="Save the current state as"
          value={name}
          required
          maxLength={50}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
          title="Letters, digits, dots, dashes and underscores"
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <Button kind="main" type="submit" busy={making.isPending}>
          Save
        </Button>
      </div>
      {making.isError && <ErrorText error={making.error} />}
    </form>
  );
}

function Row({ snapshot, onAsk }: { readonly snapshot: Snapshot; readonly onAsk: (asked: Asked) => void }) {
  const isAdmin = mayAs(useSession(), 'admin');
  const { name, at, bytes } = snapshot;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
      </td>
      <td className="wide-cell nowrap">{formatTime(at)}</td>
      <td className="wide-cell right number">{formatBytes(bytes)}</td>
      <td className="right">
        {isAdmin && (
          <div className="row row-actions">
            <Button aria-label={`Restore ${name}`} onClick={() => onAsk({ what: 'restore', name })}>
              Restore
            </Button>
            <Button
              kind="plain"
              aria-label={`Delete ${name}`}
              onClick={() => onAsk({ what: 'delete', name })}
            >
              Delete
            </Button>
          </div>
        )}
      </td>
    </tr>
  );
}

/** Complete states of the sandbox that you can restore. */
export function Snapshots() {
  const session = useSession();
  const [asked, setAsked] = useState<Asked | undefined>();
  const list = useQuery({ queryKey: ['snapshots'], queryFn: ({ signal }) => listSnapshots(signal) });
  return (
    <div className="grid">
      <Card title="Snapshots" span={8} flush>
        <div style={{ minHeight: 220 }}>
          <ReadProblem error={list.error} data={list.data} retry={() => void list.refetch()} />
          {list.isPending && <Skeleton height={200} />}
          {list.data?.length === 0 && (
            <Empty title="No snapshots yet">
              <p>Save one before you try something. Restoring takes a few seconds.</p>
            </Empty>
          )}
          {list.data !== undefined && list.data.length > 0 && (
            <table className="plain-table" aria-label="Snapshots">
              <thead>
                <tr>
                  <th>Name</th>
                  <th className="wide-cell">Sandbox time</th>
                  <th className="wide-cell right">Size</th>
                  <th className="right">
                    <span className="hidden-text">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.data.map((snapshot) => (
                  <Row key={snapshot.name} snapshot={snapshot} onAsk={setAsked} />
                ))}
              </tbody>
            </table>
          )}
        </div>
      </Card>
      <Card title="Save and reset" span={4}>
        <div className="stack">
          {mayAs(session, 'clock') && <MakeForm />}
          <p className="small soft">
            A snapshot contains everything, including secrets and the clock. It never leaves the machine.
          </p>
          {mayAs(session, 'admin') && (
            <div>
              <Button kind="danger" onClick={() => setAsked({ what: 'start' })}>
                Reset to the start
              </Button>
            </div>
          )}
        </div>
      </Card>
      {asked !== undefined && <Ask asked={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
