import { SelectField } from '../../../parts/fields.tsx';
import { planWords } from '../sentence.ts';
import { choices, type TriggerForm } from './form.ts';

/** A choice of plans by name. A plan that someone else set stays until another is chosen. */
export function PlanField({
  label,
  value,
  problem,
  options,
  among,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly options: TriggerForm['options'];
  /** Limits the choice to these codes. */
  readonly among?: readonly string[] | undefined;
  readonly onChange: (code: string) => void;
}) {
  const offered = (options?.plans ?? [])
    .filter(({ code }) => among?.includes(code) ?? true)
    .map(({ code }) => [code, planWords(code, options)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
  const isOffered = offered.some(([code]) => code === value);
  return (
    <SelectField
      label={label}
      required
      options={choices(
        ...(isOffered ? [] : [[value, value === '' ? 'Choose a plan' : value] as const]),
        ...offered,
      )}
      value={value}
      problem={problem}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
