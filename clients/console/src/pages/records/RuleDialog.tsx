import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NotAnObject, parseObject } from '../../api/exact-json.ts';
import { changeRule, createRule, type Rule, tryRule } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField, TextArea, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { EvaluationBadge } from './EvaluationBadge.tsx';
import { RuleBuilder } from './RuleBuilder.tsx';
import { RuleTrial } from './RuleTrial.tsx';
import { RuleVersions } from './RuleVersions.tsx';
import { fromChain, NEW_DRAFT, type RuleDraft, toChain } from './rule-draft.ts';
import './records.css';

const SYNTAX = 'json';
const WAYS = [
  { id: 'form', label: 'Form' },
  { id: 'json', label: 'JSON' },
] as const;

const asText = (chain: object): string => JSON.stringify(chain, null, 2);

/** Undefined for a rule that the form cannot show. */
function draftOf(syntax: string, chain: string): RuleDraft | undefined {
  if (syntax.trim().toLowerCase() !== SYNTAX) return undefined;
  try {
    return fromChain(parseObject(chain));
  } catch {
    return undefined;
  }
}

/** The rule in both forms: a change of the draft rewrites the chain. */
function useWriting(rule: Rule | undefined) {
  const [syntax, setSyntax] = useState(rule?.syntax ?? SYNTAX);
  const [chain, setChain] = useState(rule?.chain ?? asText(toChain(NEW_DRAFT)));
  const [draft, setDraft] = useState(rule === undefined ? NEW_DRAFT : draftOf(rule.syntax, rule.chain));
  return {
    syntax,
    chain,
    draft,
    setDraft(next: RuleDraft) {
      setDraft(next);
      setChain(asText(toChain(next)));
    },
    setChain(next: string) {
      setChain(next);
      setDraft(draftOf(syntax, next));
    },
    setSyntax(next: string) {
      setSyntax(next);
      setDraft(draftOf(next, chain));
    },
  };
}
type Writing = ReturnType<typeof useWriting>;

function ChainFields({ writing, isChain }: { readonly writing: Writing; readonly isChain: boolean }) {
  return (
    <>
      <TextField
        label="Syntax"
        maxLength={100}
        hint="The service evaluates json: conditions on fields, or JsonLogic. It stores other syntaxes unchanged."
        value={writing.syntax}
        onChange={({ target }) => writing.setSyntax(target.value)}
      />
      <TextArea
        label="Rule chain"
        rows={10}
        spellCheck={false}
        required
        hint="A JSON object."
        problem={isChain ? 'This is not a JSON object' : undefined}
        value={writing.chain}
        onChange={({ target }) => writing.setChain(target.value)}
      />
    </>
  );
}

function RuleFields({
  deviceId,
  writing,
  isChain,
}: {
  readonly deviceId: string;
  readonly writing: Writing;
  readonly isChain: boolean;
}) {
  const accountName = useAccount();
  const [way, setWay] = useState<'form' | 'json'>(writing.draft === undefined ? 'json' : 'form');
  const { syntax, chain, draft } = writing;
  const known = useQuery({
    queryKey: ['records', accountName, deviceId, 'fields'],
    queryFn: () => tryRule(accountName, deviceId, { syntax: SYNTAX, chain: '{}' }),
  });
  return (
    <>
      <Tabs label="Rule editor" tabs={WAYS} selected={way} onSelect={setWay} />
      <TabPanel label="Rule editor" selected={way}>
        <div className="form">
          {way === 'json' ? (
            <ChainFields writing={writing} isChain={isChain} />
          ) : draft === undefined ? (
            <p>This rule says more than the form can show. Change it as JSON.</p>
          ) : (
            <RuleBuilder draft={draft} fields={known.data?.fields ?? []} onChange={writing.setDraft} />
          )}
        </div>
      </TabPanel>
      <RuleTrial deviceId={deviceId} read={() => ({ syntax, chain })} />
    </>
  );
}

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
  const writing = useWriting(rule);
  const saving = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const fields = {
        name: text('name'),
        description: text('description'),
        syntax: writing.syntax.trim(),
        chain: writing.chain,
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
        <RuleFields deviceId={deviceId} writing={writing} isChain={isChain} />
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
