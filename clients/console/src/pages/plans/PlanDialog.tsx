import { changePlan, createPlan, type Plan, type PlanEntry } from '../../api/plans.ts';
import { Button } from '../../parts/Button.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { useSave } from '../../parts/use-save.ts';
import { listed } from '../../text/listed.ts';
import { KINDS } from './PlanTable.tsx';

const MB = 1024 ** 2;

/** The form's values as an entry of a fleet document. */
function readEntry(form: FormData, code: string): PlanEntry {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const number = (name: string, of: (value: number) => number = (value) => value) =>
    text(name) === '' ? {} : { [name]: of(Number(text(name))) };
  return {
    code,
    name: text('name') || code,
    carrierServicePlanCode: text('carrierServicePlanCode') || code,
    kind: KINDS.find(({ value }) => value === text('kind'))!.value,
    ...number('allowanceBytes', (megabytes) => Math.round(megabytes * MB)),
    ...number('ratePerMb'),
    ...number('throttleAtPercent'),
    fixedLocation: form.get('fixedLocation') !== null,
    suspendWithBilling: form.get('suspendWithBilling') !== null,
    models: listed(text('models'), /\n/),
  };
}

function Amounts({ plan }: { readonly plan: Plan | undefined }) {
  // A fleet document cannot remove a number, only change it.
  const said = (value: number | null | undefined, empty: string) =>
    value == null ? `Empty: ${empty}.` : 'You can change it but not remove it.';
  return (
    <>
      <TextField
        label="Allowance per line (MB per month)"
        name="allowanceBytes"
        type="number"
        min={0}
        step="any"
        required={plan?.allowanceBytes != null}
        defaultValue={plan?.allowanceBytes == null ? '' : plan.allowanceBytes / MB}
        hint={said(plan?.allowanceBytes, 'no limit')}
      />
      <TextField
        label="Rate per MB"
        name="ratePerMb"
        type="number"
        min={0}
        step="any"
        required={plan?.ratePerMb != null}
        defaultValue={plan?.ratePerMb ?? ''}
        hint={said(plan?.ratePerMb, 'no charge per MB')}
      />
      <TextField
        label="Slows down at (% of the allowance)"
        name="throttleAtPercent"
        type="number"
        min={1}
        max={1_000}
        step={1}
        required={plan?.throttleAtPercent != null}
        defaultValue={plan?.throttleAtPercent ?? ''}
        hint={said(plan?.throttleAtPercent, 'never')}
      />
    </>
  );
}

export function PlanDialog({
  plan,
  onDelete,
  onClose,
}: {
  readonly plan: Plan | undefined;
  /** Set when the viewer may delete it. */
  readonly onDelete: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const isNew = plan === undefined;
  const saving = useSave(
    async (entry: PlanEntry) => {
      if (isNew) return createPlan(entry);
      await changePlan(entry);
      return true;
    },
    { done: isNew ? 'Plan created' : 'Plan changed', topics: ['plans'], onClose },
  );
  return (
    <FormDialog
      title={isNew ? 'New plan' : `Plan ${plan.code}`}
      action={isNew ? 'Create' : 'Save'}
      saving={saving}
      extra={
        onDelete && (
          <Button kind="plain" onClick={onDelete}>
            Delete plan
          </Button>
        )
      }
      onSave={(form) => saving.mutate(readEntry(form, plan?.code ?? String(form.get('code')).trim()))}
      onClose={onClose}
    >
      {isNew && (
        <TextField
          label="Code"
          name="code"
          required
          maxLength={64}
          autoComplete="off"
          hint="Lines refer to the plan by it. It cannot be changed later."
          problem={saving.data === false ? 'A plan with this code already exists.' : undefined}
          data-first-focus
        />
      )}
      <TextField label="Name" name="name" maxLength={200} defaultValue={plan?.name ?? ''} />
      <SelectField label="Kind" name="kind" options={KINDS} defaultValue={plan?.kind ?? 'payAsYouGo'} />
      <Amounts plan={plan} />
      <Rest plan={plan} />
    </FormDialog>
  );
}

function Rest({ plan }: { readonly plan: Plan | undefined }) {
  return (
    <>
      <TextField
        label="Name in triggers"
        name="carrierServicePlanCode"
        maxLength={64}
        defaultValue={plan?.carrierServicePlanCode ?? ''}
        hint="Empty: the code."
      />
      <TextArea
        label="Device models"
        name="models"
        defaultValue={plan?.models?.join('\n') ?? ''}
        hint="One per line. Empty: every model."
      />
      <CheckField
        label="For lines at a fixed place"
        name="fixedLocation"
        defaultChecked={plan?.fixedLocation ?? false}
      />
      <CheckField
        label="Bill suspended lines"
        name="suspendWithBilling"
        defaultChecked={plan?.suspendWithBilling ?? false}
      />
      {plan !== undefined && <p className="small soft">New values apply to its lines at once.</p>}
    </>
  );
}
