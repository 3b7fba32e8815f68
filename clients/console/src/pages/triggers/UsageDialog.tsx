import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refusalOf } from '../../api/client.ts';
import { changeUsageTrigger, createUsageTrigger, type UsageTrigger } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { usageSentenceOf } from './sentence.ts';
import { useTriggerOptions } from './use-options.ts';
import './triggers.css';

type Terms = Omit<UsageTrigger, 'triggerId' | 'accountName' | 'createDate' | 'updateDate'>;

const EMPTY: Terms = {
  triggerName: '',
  serviceName: 'Location',
  thresholdValue: '90',
  allowExcess: true,
  sendEmailNotification: false,
  emailAddresses: '',
  sendSmsNotification: false,
  smsPhoneNumbers: '',
};

/** Finds the field by a word in the refusal, which names the field or describes the problem. */
const WORDS: Partial<Record<keyof Terms, RegExp>> = {
  triggerName: /name is not unique|triggerName/i,
  thresholdValue: /thresholdValue/,
  emailAddresses: /emailAddresses/,
  smsPhoneNumbers: /smsPhoneNumbers/,
};

interface UsageDialogProps {
  readonly trigger?: UsageTrigger | undefined;
  readonly onClose: () => void;
  readonly onSaved: (triggerId: string) => void;
}

export function UsageDialog({ trigger, onClose, onSaved }: UsageDialogProps) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [first] = useState<Terms>({ ...EMPTY, ...trigger });
  const [terms, setTerms] = useState(first);
  const set = (change: Partial<Terms>) => setTerms((before) => ({ ...before, ...change }));
  const options = useTriggerOptions();
  const saving = useMutation({
    mutationFn: () => {
      const { triggerName, serviceName, ...rest } = terms;
      const { thresholdValue, allowExcess, sendEmailNotification, emailAddresses } = rest;
      const { sendSmsNotification, smsPhoneNumbers } = rest;
      const body = {
        ...(triggerName.trim() !== '' && { triggerName: triggerName.trim() }),
        thresholdValue: thresholdValue.trim(),
        allowExcess,
        sendEmailNotification,
        emailAddresses,
        sendSmsNotification,
        smsPhoneNumbers,
      };
      return trigger === undefined
        ? createUsageTrigger(accountName, { ...body, serviceName })
        : changeUsageTrigger(accountName, trigger.triggerId, body);
    },
    onSuccess: async ({ triggerId }) => {
      say(trigger === undefined ? 'Trigger created' : 'Trigger changed');
      await queries.invalidateQueries({ queryKey: ['triggers'] });
      onSaved(triggerId);
    },
  });
  const services = options?.services ?? [terms.serviceName];
  const { error } = saving;
  const title = refusalOf(error)?.title;
  const problem = (field: keyof Terms): string | undefined =>
    title !== undefined && WORDS[field]?.test(title) ? title : undefined;
  const isPlaced = (Object.keys(WORDS) as (keyof Terms)[]).some((field) => problem(field) !== undefined);
  return (
    <Dialog
      title={trigger === undefined ? 'New usage trigger' : `Change ${trigger.triggerName}`}
      isFilled={JSON.stringify(terms) !== JSON.stringify(first)}
      onClose={onClose}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <p className="trigger-sentence" aria-live="polite">
          {usageSentenceOf(terms, accountName)}
        </p>
        <TextField
          label="Name"
          maxLength={100}
          hint="Empty: the service creates one."
          value={terms.triggerName}
          problem={problem('triggerName')}
          onChange={(event) => set({ triggerName: event.target.value })}
        />
        {trigger === undefined && (
          <SelectField
            label="Service"
            options={services.map((one) => ({ value: one, label: one }))}
            value={terms.serviceName}
            onChange={({ target }) =>
              set({ serviceName: services.find((one) => one === target.value) ?? terms.serviceName })
            }
          />
        )}
        <TextField
          label="Percent of the subscription"
          inputMode="numeric"
          required
          value={terms.thresholdValue}
          problem={problem('thresholdValue')}
          onChange={(event) => set({ thresholdValue: event.target.value })}
        />
        <CheckField
          label="Allow use beyond 100 %"
          checked={terms.allowExcess}
          onChange={(event) => set({ allowExcess: event.target.checked })}
        />
        <CheckField
          label="Mail"
          checked={terms.sendEmailNotification}
          onChange={(event) => set({ sendEmailNotification: event.target.checked })}
        />
        {(terms.sendEmailNotification || terms.emailAddresses !== '') && (
          <TextField
            label="Mail to"
            hint="Separated by commas."
            value={terms.emailAddresses}
            problem={problem('emailAddresses')}
            onChange={(event) => set({ emailAddresses: event.target.value })}
          />
        )}
        <CheckField
          label="SMS"
          checked={terms.sendSmsNotification}
          onChange={(event) => set({ sendSmsNotification: event.target.checked })}
        />
        {(terms.sendSmsNotification || terms.smsPhoneNumbers !== '') && (
          <TextField
            label="SMS to"
            hint="Digits only, separated by commas."
            value={terms.smsPhoneNumbers}
            problem={problem('smsPhoneNumbers')}
            onChange={(event) => set({ smsPhoneNumbers: event.target.value })}
          />
        )}
        {saving.isError && !isPlaced && <ErrorText error={error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={saving.isPending}>
            {trigger === undefined ? 'Create' : 'Change'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
