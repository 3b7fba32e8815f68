import { CheckField, SelectField, TextArea, TextField } from '../../../parts/fields.tsx';
import { choices, type TriggerForm } from './form.ts';

const TYPES = choices(['PerEvent', 'At once'], ['DailySummary', 'Once a day']);
const SEVERITIES = choices(
  ['Notice', 'Notice'],
  ['Minor', 'Minor'],
  ['Major', 'Major'],
  ['Critical', 'Critical'],
);
const INTERVALS = choices(['Hourly', 'Hourly'], ['Daily', 'Daily'], ['Weekly', 'Weekly']);

function Recipients({
  form: { draft, set, problemAt, problemUnder, options },
}: {
  readonly form: TriggerForm;
}) {
  const names = options?.notificationGroups ?? [];
  const known = draft.groupName === '' || names.includes(draft.groupName);
  return (
    <>
      {(draft.email || draft.sms) && (
        <SelectField
          label="Notification group"
          options={choices(
            ['', 'None'],
            ...(known ? [] : [[draft.groupName, draft.groupName] as const]),
            ...names.map((name) => [name, name] as const),
          )}
          value={draft.groupName}
          problem={problemAt('notification.notificationGroupName')}
          onChange={(event) => set({ groupName: event.target.value })}
        />
      )}
      {draft.email && (
        <TextField
          label="Mail to"
          hint="Separated by commas."
          value={draft.recipients}
          problem={
            problemAt('notification.externalEmailRecipients') ?? problemAt('notification.emailNotification')
          }
          onChange={(event) => set({ recipients: event.target.value })}
        />
      )}
      {draft.sms && (
        <TextArea
          label="SMS to"
          hint="Number and carrier, one per line."
          rows={2}
          value={draft.smsNumbers}
          problem={problemUnder('notification.smsNumbers')}
          onChange={(event) => set({ smsNumbers: event.target.value })}
        />
      )}
    </>
  );
}

export function NotificationFields({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt } = form;
  return (
    <>
      <SelectField
        label="Notified"
        options={TYPES}
        value={draft.notificationType}
        problem={problemAt('notification.notificationType')}
        onChange={(event) => set({ notificationType: event.target.value })}
      />
      <SelectField
        label="Severity"
        options={SEVERITIES}
        value={draft.severity}
        problem={problemAt('notification.severity')}
        onChange={(event) => set({ severity: event.target.value })}
      />
      <div className="row trigger-checks trigger-wide">
        <CheckField
          label="Callback"
          checked={draft.callback}
          onChange={(event) => set({ callback: event.target.checked })}
        />
        <CheckField
          label="Mail"
          checked={draft.email}
          onChange={(event) => set({ email: event.target.checked })}
        />
        <CheckField
          label="SMS"
          checked={draft.sms}
          onChange={(event) => set({ sms: event.target.checked })}
        />
        <CheckField
          label="Reminders"
          checked={draft.reminder}
          onChange={(event) => set({ reminder: event.target.checked })}
        />
      </div>
      <Recipients form={form} />
      {draft.reminder && (
        <div className="trigger-pair">
          <TextField
            label="Number of reminders"
            inputMode="numeric"
            value={draft.reminders}
            problem={problemAt('notification.notificationFrequencyFactor')}
            onChange={(event) => set({ reminders: event.target.value })}
          />
          <SelectField
            label="Interval"
            options={INTERVALS}
            value={draft.interval}
            problem={problemAt('notification.notificationFrequencyInterval')}
            onChange={(event) => set({ interval: event.target.value })}
          />
        </div>
      )}
    </>
  );
}
