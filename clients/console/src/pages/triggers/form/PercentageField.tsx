import { useId } from 'react';
import { CheckField } from '../../../parts/fields.tsx';
import { PERCENTAGES, type Percentages } from './draft.ts';

export function PercentageField({
  label,
  value,
  problem,
  onChange,
}: {
  readonly label: string;
  readonly value: Percentages;
  readonly problem?: string | undefined;
  readonly onChange: (value: Percentages) => void;
}) {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{label}</legend>
      <div className="row trigger-checks">
        {PERCENTAGES.map((percent) => (
          <CheckField
            key={percent}
            label={`${percent} %`}
            checked={value[percent]}
            onChange={(event) => onChange({ ...value, [percent]: event.target.checked })}
          />
        ))}
      </div>
      {problem !== undefined && (
        <small id={id} role="alert">
          {problem}
        </small>
      )}
    </fieldset>
  );
}
