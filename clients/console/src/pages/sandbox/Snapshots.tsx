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
    title: (name: string) => `Go back to ${name}?`,
    action: 'Go back',
    text: 'Everything that has happened since then is lost, for everybody who uses this sandbox.',
    done: (name: string) => `The sandbox is as it was at ${name}`,
  },
  delete: {
    title: (name: string) => `Delete ${name}?`,
    action: 'Delete it',
    text: 'You cannot go back to it any more. The sandbox itself stays as it is.',
    done: (name: string) => `${name} is deleted`,
  },
  start: {
    title: () => 'Go back to the start?',
    action: 'Go back to the start',
    text: 'The sandbox is as it was when it was first started: its first fleet, and real time. Everything since is lost.',
    done: () => 'The sandbox is as it was at the start',
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
      say(`${made.name} is kept`);
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
          label="Keep the state of now as"
          value={name}
          required
          maxLength={50}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
          title="Letters, digits, dots, dashes and underscores"
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <Button kind="main" type="submit" busy={making.isPending}>
          Keep it
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
            <Button aria-label={`Go back to ${name}`} onClick={() => onAsk({ what: 'restore', name })}>
              Go back
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

/** Whole states of the sandbox, to go back to. */
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
            <Empty title="No state is kept">
              <p>Keep one before you try something; going back takes a few seconds.</p>
            </Empty>
          )}
          {list.data !== undefined && list.data.length > 0 && (
            <table className="plain-table" aria-label="Snapshots">
              <thead>
                <tr>
                  <th>Name</th>
                  <th className="wide-cell">Time of the sandbox</th>
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
      <Card title="Keep and begin again" span={4}>
        <div className="stack">
          {mayAs(session, 'clock') && <MakeForm />}
          <p className="small soft">
            A snapshot holds everything, secrets and the clock too, and never leaves the machine.
          </p>
          {mayAs(session, 'admin') && (
            <div>
              <Button kind="danger" onClick={() => setAsked({ what: 'start' })}>
                Back to the start
              </Button>
            </div>
          )}
        </div>
      </Card>
      {asked !== undefined && <Ask asked={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
