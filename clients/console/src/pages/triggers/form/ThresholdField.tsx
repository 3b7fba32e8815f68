import { SelectField, TextField } from '../../../parts/fields.tsx';
import { type TriggerForm, UNITS } from './form.ts';

/** A number and its unit, for a condition or a suspension. */
export function ThresholdField({
  form: { draft, set, problemAt },
  of,
  path,
  label,
}: {
  readonly form: TriggerForm;
  readonly of: 'threshold' | 'suspendThreshold';
  readonly path: string;
  readonly label: string;
}) {
  const unit = of === 'threshold' ? 'thresholdUnit' : 'suspendUnit';
  return (
    <div className="trigger-pair">
      <TextField
        label={label}
        inputMode="numeric"
        required
        value={draft[of]}
        problem={problemAt(`${path}.threshold`)}
        onChange={(event) => set({ [of]: event.target.value })}
      />
      <SelectField
        label="Unit"
        options={UNITS}
        value={draft[unit]}
        problem={problemAt(`${path}.thresholdUnit`)}
        onChange={(event) => set({ [unit]: event.target.value })}
      />
    </div>
  );
}
