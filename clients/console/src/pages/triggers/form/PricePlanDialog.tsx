import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  changePricePlanTrigger,
  createPricePlanTrigger,
  type PricePlanTrigger,
} from '../../../api/triggers.ts';
import { useAccount } from '../../../app/account.tsx';
import { Button } from '../../../parts/Button.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import { CheckField, SelectField, TextField } from '../../../parts/fields.tsx';
import { ErrorText } from '../../../parts/states.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { Backtest } from '../Backtest.tsx';
import { sentenceOf } from '../sentence.ts';
import { useTriggerOptions } from '../use-options.ts';
import { type Draft, newDraft } from './draft.ts';
import { choices, problemFinder, type TriggerForm } from './form.ts';
import { NotificationFields } from './NotificationFields.tsx';
import { PayAsYouGoFields } from './PayAsYouGoFields.tsx';
import { draftOf } from './read-draft.ts';
import { ShareFields } from './ShareFields.tsx';
import { bodyOf, ruleOf } from './write-draft.ts';
import '../triggers.css';

const KINDS = choices(
  ['payAsYouGo', 'Pay-as-you-go plan'],
  ['shareLines', 'Group share: each line'],
  ['sharePool', 'Group share: the pool'],
);

interface PricePlanDialogProps {
  /** Absent for a new trigger. */
  readonly trigger?: PricePlanTrigger;
  readonly onClose: () => void;
  readonly onSaved: (triggerId: string) => void;
}

export function PricePlanDialog({ trigger, onClose, onSaved }: PricePlanDialogProps) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const box = useRef<HTMLFormElement>(null);
  const [first] = useState(() => (trigger === undefined ? newDraft(accountName) : draftOf(trigger)));
  const [draft, setDraft] = useState(first);
  const options = useTriggerOptions();
  /** The service's refusal, from saving or from a back-test. */
  const [refused, setRefused] = useState<Error | null>(null);
  const saving = useMutation({
    mutationFn: () =>
      trigger === undefined
        ? createPricePlanTrigger(accountName, bodyOf(draft))
        : changePricePlanTrigger(accountName, trigger.triggerId, bodyOf(draft)),
    onError: setRefused,
    onSuccess: async ({ triggerId }) => {
      say(trigger === undefined ? 'Trigger created' : 'Trigger changed');
      await queries.invalidateQueries({ queryKey: ['triggers'] });
      onSaved(triggerId);
    },
  });
  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => {
    if (refused === null) return;
    setPlaced(box.current?.querySelector('.field [role="alert"]') !== null);
    box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  const problems = useMemo(() => problemFinder(refused), [refused]);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const form: TriggerForm = { draft, set, ...problems, options };
  return (
    <Dialog
      title={trigger === undefined ? 'New price plan trigger' : `Change ${trigger.triggerName}`}
      wide
      isFilled={JSON.stringify(draft) !== JSON.stringify(first)}
      onClose={onClose}
    >
      <form
        ref={box}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <p className="trigger-sentence" aria-live="polite">
          {sentenceOf(draft, options)}
        </p>
        <div className="trigger-fields">
          <TextField
            label="Name"
            required
            maxLength={100}
            value={draft.triggerName}
            onChange={(event) => set({ triggerName: event.target.value })}
          />
          <SelectField
            label="About"
            options={KINDS}
            value={draft.kind}
            onChange={({ target: { value } }) =>
              set({
                kind: value as Draft['kind'],
                ...(draft.action === 'notify' ? {} : { action: 'notify' }),
              })
            }
          />
          {draft.kind === 'payAsYouGo' ? <PayAsYouGoFields form={form} /> : <ShareFields form={form} />}
        </div>
        <h3>Notifications</h3>
        <div className="trigger-fields">
          <NotificationFields form={form} />
        </div>
        <CheckField
          label="Active"
          checked={draft.active}
          onChange={(event) => set({ active: event.target.checked })}
        />
        {saving.isError && !isPlaced && <ErrorText error={saving.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={saving.isPending}>
            {trigger === undefined ? 'Create' : 'Change'}
          </Button>
        </div>
      </form>
      <Backtest
        rule={ruleOf(draft)}
        onRefused={setRefused}
        frame={(controls, result) => (
          <section className="trigger-trial">
            <div className="row">
              <h3>Back-test of this form</h3>
              {controls}
            </div>
            {result}
          </section>
        )}
      />
    </Dialog>
  );
}
