import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NotAnObject } from '../../api/exact-json.ts';
import { changeRule, createRule, type Rule } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField, TextArea, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { EvaluationBadge } from './EvaluationBadge.tsx';
import { RuleVersions } from './RuleVersions.tsx';

const EXAMPLE = JSON.stringify({ field: 'temperature', operator: 'gt', value: 30 }, null, 2);

/** Stays open when it has saved, because the service then says whether it understands the rule. */
export function RuleDialog({
  deviceId,
  rule,
  onClose,
}: {
  readonly deviceId: string;
  readonly rule: Rule | undefined;
  readonly onClose: () => void;
}) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const [present, setPresent] = useState(rule);
  const saving = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const fields = {
        name: text('name'),
        description: text('description'),
        syntax: text('syntax'),
        chain: text('chain'),
        disabled: form.get('enabled') === null,
      };
      return present === undefined
        ? createRule(accountName, deviceId, fields)
        : changeRule(accountName, present, fields);
    },
    onSuccess: (saved) => {
      setPresent(saved);
      return queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
  const { error } = saving;
  const isChain = error instanceof NotAnObject;
  return (
    <Dialog title={present === undefined ? 'New rule' : `Rule ${present.name}`} wide onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextField label="Name" name="name" required maxLength={200} defaultValue={rule?.name ?? ''} />
        <TextField
          label="Description"
          name="description"
          maxLength={1_000}
          defaultValue={rule?.description ?? ''}
        />
        <TextField
          label="Syntax"
          name="syntax"
          maxLength={100}
          hint="json is evaluated: conditions of fields, or JsonLogic. Others are kept as they are."
          defaultValue={rule?.syntax ?? 'json'}
        />
        <TextArea
          label="Rule chain"
          name="chain"
          rows={10}
          spellCheck={false}
          required
          hint="A JSON object."
          problem={isChain ? 'This is no JSON object' : undefined}
          defaultValue={rule?.chain ?? EXAMPLE}
        />
        <CheckField label="Enabled" name="enabled" defaultChecked={rule?.disabled !== true} />
        <div role="status" style={{ minHeight: 22 }}>
          {present !== undefined && !saving.isPending && !saving.isError && (
            <EvaluationBadge evaluation={present.evaluation} />
          )}
        </div>
        {saving.isError && !isChain && <ErrorText error={error} />}
        <div className="form-actions">
          <Button onClick={onClose}>{saving.isSuccess ? 'Done' : 'Cancel'}</Button>
          {mayChange(session, 'fleet') && (
            <Button kind="main" type="submit" busy={saving.isPending}>
              Save
            </Button>
          )}
        </div>
      </form>
      {present !== undefined && <RuleVersions ruleId={present.id} />}
    </Dialog>
  );
}
