import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { changeRule, deleteRule, listRules, type RecordRef, type Rule } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { EvaluationBadge, evaluationWords } from './EvaluationBadge.tsx';
import { RuleDialog } from './RuleDialog.tsx';

type Open =
  | { readonly what: 'edit'; readonly rule?: Rule }
  | { readonly what: 'delete'; readonly rule: Rule };

function Change({ rule, onDelete }: { readonly rule: Rule; readonly onDelete: () => void }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const { name, disabled } = rule;
  const switching = useMutation({
    mutationFn: () => changeRule(accountName, rule, { ...rule, disabled: !disabled }),
    onSuccess: () => {
      say(disabled ? `${name} enabled` : `${name} disabled`);
      return queries.invalidateQueries({ queryKey: ['records'] });
    },
    onError: complain,
  });
  return (
    <div className="row" style={{ position: 'relative', flexWrap: 'nowrap' }}>
      <Button
        style={{ height: 28 }}
        busy={switching.isPending}
        aria-label={`${disabled ? 'Enable' : 'Disable'} ${name}`}
        onClick={() => switching.mutate()}
      >
        {disabled ? 'Enable' : 'Disable'}
      </Button>
      <Button style={{ height: 28 }} kind="danger" aria-label={`Delete ${name}`} onClick={onDelete}>
        Delete
      </Button>
    </div>
  );
}

const columnsOf = (open: (what: Open) => void, changes: boolean): readonly Column<Rule>[] => [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    width: 'minmax(150px, 1fr)',
    cell: (rule) => (
      <button type="button" className="row-link" onClick={() => open({ what: 'edit', rule })}>
        {rule.name === '' ? 'Unnamed' : rule.name}
      </button>
    ),
  },
  {
    title: 'Description',
    sortBy: ({ description }) => description,
    width: 'minmax(180px, 1.4fr)',
    wide: true,
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
  {
    title: 'Syntax',
    sortBy: ({ syntax }) => syntax,
    width: '110px',
    wide: true,
    cell: ({ syntax }) => syntax,
  },
  {
    title: 'Evaluation',
    sortBy: ({ evaluation }) => evaluationWords(evaluation),
    wide: true,
    width: 'minmax(220px, 1.6fr)',
    cell: ({ evaluation }) => <EvaluationBadge evaluation={evaluation} />,
  },
  ...(changes
    ? [
        {
          title: 'Change',
          width: '190px',
          cell: (rule: Rule) => <Change rule={rule} onDelete={() => open({ what: 'delete', rule })} />,
        },
      ]
    : []),
];

export function RulesCard({ kind, id }: RecordRef) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [open, setOpen] = useState<Open | undefined>();
  const changes = mayChange(session, 'fleet');
  const list = usePages(['records', accountName, kind, id, 'rules'], (mark, signal) =>
    listRules(accountName, id, mark, signal),
  );
  const deleting = useMutation({
    mutationFn: (rule: Rule) => deleteRule(accountName, rule.id),
    onSuccess: async (_, { name }) => {
      say(`${name} deleted`);
      await queries.invalidateQueries({ queryKey: ['records'] });
      setOpen(undefined);
    },
  });
  const columns = useMemo(() => columnsOf(setOpen, changes), [changes]);
  const close = () => {
    deleting.reset();
    setOpen(undefined);
  };
  return (
    <Card
      title="Rules"
      flush
      aside={changes && <Button onClick={() => setOpen({ what: 'edit' })}>New rule</Button>}
    >
      <PagedTable
        label="Rules"
        file="rules"
        columns={columns}
        list={list}
        rowsOf={({ rules }) => rules}
        keyOf={(rule) => rule.id}
        height={250}
        minWidth={900}
        empty={<Empty title="No rules yet" />}
      />
      {open?.what === 'edit' && <RuleDialog deviceId={id} rule={open.rule} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${open.rule.name}?`}
          action="Delete"
          busy={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate(open.rule)}
          onClose={close}
        >
          <p>The service stops checking readings against it. Its past alerts stay on record.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
