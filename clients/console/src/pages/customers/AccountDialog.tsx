import { type Account, type AccountEntry, changeAccount, createAccount } from '../../api/customers.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { useSave } from '../../parts/use-save.ts';

const TOPICS = ['customers', 'accounts', 'session', 'usage'];
const SWITCHES = [
  ['locationRegistered', 'Allow device location'],
  ['realTimeRating', 'Real-time rating'],
  ['aggregatedBilling', 'Aggregated billing'],
] as const;

/** The form's values as an entry of a fleet document. */
function readEntry(form: FormData, accountName: string): AccountEntry {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    accountName,
    organizationName: text('organizationName'),
    timeZone: text('timeZone'),
    billCycleDay: Number(text('billCycleDay')),
    currency: text('currency').toUpperCase(),
    ...(text('contactEmail') !== '' && { contactEmail: text('contactEmail') }),
    ...Object.fromEntries(SWITCHES.map(([name]) => [name, form.get(name) !== null])),
  };
}

/** The fields that can never change. */
function Names({ isTaken }: { readonly isTaken: boolean }) {
  return (
    <>
      <TextField
        label="Account"
        name="accountName"
        required
        pattern="[0-9\-]{1,32}"
        title="Digits and dashes"
        maxLength={32}
        hint="Digits and dashes, such as 0000123456-00001. It cannot be changed later."
        problem={isTaken ? 'An account with this name already exists.' : undefined}
        data-first-focus
      />
      <TextField
        label="Customer"
        name="ecpdId"
        required
        pattern="[0-9A-Za-z\-]{1,32}"
        title="Digits, letters and dashes"
        maxLength={32}
        hint="Accounts of one customer share triggers and pools. A new customer is created if needed."
      />
    </>
  );
}

function Billing({ account }: { readonly account: Account | undefined }) {
  return (
    <>
      <TextField
        label="Time zone"
        name="timeZone"
        required
        maxLength={64}
        list="time-zones"
        defaultValue={account?.timeZone ?? 'UTC'}
        hint={
          account === undefined
            ? 'Its days, weeks and billing months begin in this zone.'
            : 'A change moves the start of days and billing months.'
        }
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextField
        label="Billing months begin on day"
        name="billCycleDay"
        type="number"
        required
        min={1}
        max={31}
        step={1}
        defaultValue={account?.billCycleDay ?? 1}
      />
      <TextField
        label="Currency"
        name="currency"
        required
        pattern="[A-Za-z]{3}"
        title="Three letters, such as USD"
        maxLength={3}
        defaultValue={account?.currency ?? 'USD'}
      />
    </>
  );
}

/** Creates or changes an account. */
export function AccountDialog({
  account,
  onClose,
}: {
  readonly account: Account | undefined;
  readonly onClose: () => void;
}) {
  const isNew = account === undefined;
  const saving = useSave(
    async (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const entry = readEntry(form, account?.accountName ?? text('accountName'));
      if (isNew) return createAccount({ ...entry, ecpdId: text('ecpdId') });
      await changeAccount(entry);
      return true;
    },
    { done: isNew ? 'Account created' : 'Account changed', topics: TOPICS, onClose },
  );
  return (
    <FormDialog
      title={isNew ? 'New account' : `Edit account ${account.accountName}`}
      action={isNew ? 'Create' : 'Save'}
      saving={saving}
      onSave={saving.mutate}
      onClose={onClose}
    >
      {isNew && <Names isTaken={saving.data === false} />}
      <TextField
        label="Organization"
        name="organizationName"
        maxLength={200}
        defaultValue={account?.organizationName ?? ''}
      />
      <TextField
        label="Contact"
        name="contactEmail"
        type="email"
        maxLength={254}
        required={account?.contactEmail != null}
        defaultValue={account?.contactEmail ?? ''}
        hint="Receives a mail when a listener fails."
      />
      <Billing account={account} />
      {SWITCHES.map(([name, label]) => (
        <CheckField key={name} label={label} name={name} defaultChecked={account?.[name] ?? false} />
      ))}
    </FormDialog>
  );
}
