import { changePlan, createPlan, type Plan, type PlanEntry } from '../../api/plans.ts';
import { Button } from '../../parts/Button.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { useSave } from '../../parts/use-save.ts';
import { listed } from '../../text/listed.ts';
import { KINDS } from './PlanTable.tsx';

const MB = 1024 ** 2;

/** What was written, as an entry of a fleet document. */
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
  // A fleet document takes a number away from nothing: what is there can be changed only.
  const said = (value: number | null | undefined, empty: string) =>
    value == null ? `Empty: ${empty}.` : 'It can be changed, not taken away.';
  return (
    <>
      <TextField
        label="A line may use (MB in a month)"
        name="allowanceBytes"
        type="number"
        min={0}
        step="any"
        required={plan?.allowanceBytes != null}
        defaultValue={plan?.allowanceBytes == null ? '' : plan.allowanceBytes / MB}
        hint={said(plan?.allowanceBytes, 'no limit')}
      />
      <TextField
        label="Rate for a MB"
        name="ratePerMb"
        type="number"
        min={0}
        step="any"
        required={plan?.ratePerMb != null}
        defaultValue={plan?.ratePerMb ?? ''}
        hint={said(plan?.ratePerMb, 'nothing is charged by the MB')}
      />
      <TextField
        label="Slows down at (% of what a line may use)"
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
  /** Where it may be deleted. */
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
    { done: isNew ? 'The plan is made' : 'The plan is changed', topics: ['plans'], onClose },
  );
  return (
    <FormDialog
      title={isNew ? 'New plan' : `Plan ${plan.code}`}
      action={isNew ? 'Create' : 'Save'}
      saving={saving}
      beside={
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
          hint="What lines carry. It cannot be changed later."
          problem={saving.data === false ? 'There is a plan of this code already.' : undefined}
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
        label="Triggers call it"
        name="carrierServicePlanCode"
        maxLength={64}
        defaultValue={plan?.carrierServicePlanCode ?? ''}
        hint="Empty: by its code."
      />
      <TextArea
        label="Models that it is for"
        name="models"
        defaultValue={plan?.models?.join('\n') ?? ''}
        hint="One in a line. Empty: every model."
      />
      <CheckField
        label="For lines at one place"
        name="fixedLocation"
        defaultChecked={plan?.fixedLocation ?? false}
      />
      <CheckField
        label="Suspended lines go on being billed"
        name="suspendWithBilling"
        defaultChecked={plan?.suspendWithBilling ?? false}
      />
      {plan !== undefined && <p className="small soft">Lines that are on it have the new values at once.</p>}
    </>
  );
}
