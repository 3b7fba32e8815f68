import { useQuery } from '@tanstack/react-query';
import { type ActionKind, type LineAction, listServicePlans } from '../api/lines.ts';
import { useAccount } from '../app/account.tsx';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import { LEVEL_CHOICES } from './actions.ts';

/** Initial values of each form. */
export const FIRST: { readonly [Kind in ActionKind]: Extract<LineAction, { kind: Kind }> } = {
  activate: { kind: 'activate', servicePlan: '', zip: '' },
  suspend: { kind: 'suspend', withBilling: undefined },
  restore: { kind: 'restore' },
  deactivate: { kind: 'deactivate', deletes: false },
  plan: { kind: 'plan', servicePlan: '' },
  locate: { kind: 'locate', precise: false },
  consent: { kind: 'consent', level: 0 },
  exclude: { kind: 'exclude' },
  allow: { kind: 'allow' },
  label: { kind: 'label', name: '', value: '' },
};

export function isComplete(action: LineAction): boolean {
  if (action.kind === 'activate') return action.servicePlan !== '' && /^\d{5}$/.test(action.zip);
  if (action.kind === 'plan') return action.servicePlan !== '';
  if (action.kind === 'label') return action.name.trim() !== '' && action.value !== '';
  return true;
}

const BILLING = [
  { value: '', label: 'As their plan sets' },
  { value: 'yes', label: 'Continue billing' },
  { value: 'no', label: 'Do not bill' },
];

function PlanField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (code: string) => void;
}) {
  const accountName = useAccount();
  const plans = useQuery({
    queryKey: ['plans', accountName],
    queryFn: ({ signal }) => listServicePlans(accountName, signal),
  });
  const options = (plans.data ?? []).map(({ code, name }) => ({ value: code, label: `${code}, ${name}` }));
  return (
    <SelectField
      label="Plan"
      value={value}
      options={[{ value: '', label: 'Choose one' }, ...options]}
      problem={plans.isError ? 'The plans could not be loaded' : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** The inputs that an action needs besides the lines. */
export function ActionFields({
  action,
  onChange,
}: {
  readonly action: LineAction;
  readonly onChange: (action: LineAction) => void;
}) {
  switch (action.kind) {
    case 'activate':
      return (
        <>
          <PlanField
            value={action.servicePlan}
            onChange={(servicePlan) => onChange({ ...action, servicePlan })}
          />
          <TextField
            label="ZIP code"
            hint="Five digits: the main place of use"
            inputMode="numeric"
            maxLength={5}
            value={action.zip}
            onChange={({ target }) => onChange({ ...action, zip: target.value })}
          />
        </>
      );
    case 'plan':
      return (
        <PlanField
          value={action.servicePlan}
          onChange={(servicePlan) => onChange({ ...action, servicePlan })}
        />
      );
    case 'suspend':
      return (
        <SelectField
          label="Billing while suspended"
          value={action.withBilling === undefined ? '' : action.withBilling ? 'yes' : 'no'}
          options={BILLING}
          onChange={({ target: { value } }) =>
            onChange({ ...action, withBilling: value === '' ? undefined : value === 'yes' })
          }
        />
      );
    case 'deactivate':
      return (
        <CheckField
          label="Delete them afterwards"
          checked={action.deletes}
          onChange={({ target }) => onChange({ ...action, deletes: target.checked })}
        />
      );
    case 'locate':
      return (
        <SelectField
          label="Positions"
          value={action.precise ? '1' : '0'}
          options={[
            { value: '0', label: 'Coarse' },
            { value: '1', label: 'Precise' },
          ]}
          onChange={({ target }) => onChange({ ...action, precise: target.value === '1' })}
        />
      );
    case 'consent':
      return (
        <SelectField
          label="Consent"
          value={String(action.level)}
          options={LEVEL_CHOICES}
          onChange={({ target }) => onChange({ ...action, level: Number(target.value) })}
        />
      );
    case 'label':
      return <LabelFields action={action} onChange={onChange} />;
    default:
      return null;
  }
}

function LabelFields({
  action,
  onChange,
}: {
  readonly action: Extract<LineAction, { kind: 'label' }>;
  readonly onChange: (action: LineAction) => void;
}) {
  return (
    <>
      <TextField
        label="Label"
        maxLength={100}
        value={action.name}
        onChange={({ target }) => onChange({ ...action, name: target.value })}
      />
      {action.value !== null && (
        <TextField
          label="Value"
          maxLength={200}
          value={action.value}
          onChange={({ target }) => onChange({ ...action, value: target.value })}
        />
      )}
      <CheckField
        label="Remove the label"
        checked={action.value === null}
        onChange={({ target }) => onChange({ ...action, value: target.checked ? null : '' })}
      />
    </>
  );
}
