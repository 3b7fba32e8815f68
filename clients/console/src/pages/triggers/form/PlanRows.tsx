import { useId } from 'react';
import { Button } from '../../../parts/Button.tsx';
import { TextField } from '../../../parts/fields.tsx';
import { NEW_ROW, type PlanRow } from './draft.ts';
import type { TriggerForm } from './form.ts';
import { PercentageField } from './PercentageField.tsx';
import { PlanField } from './PlanField.tsx';

interface PlanRowsProps {
  readonly label: string;
  readonly rows: readonly PlanRow[];
  /** The fields of a row besides its plan. */
  readonly shows: { readonly to?: boolean; readonly percent?: string; readonly percentages?: boolean };
  /** Path of the list in the body. */
  readonly path: string;
  readonly problemAt: TriggerForm['problemAt'];
  readonly options: TriggerForm['options'];
  /** The plans of the group, if known. */
  readonly among: readonly string[] | undefined;
  readonly onChange: (rows: readonly PlanRow[]) => void;
}

/** One entry for each plan of a group share. */
export function PlanRows(props: PlanRowsProps) {
  const { label, rows, shows, path, problemAt, options, among, onChange } = props;
  const id = useId();
  const change = (index: number, by: Partial<PlanRow>) =>
    onChange(rows.map((row, n) => (n === index ? { ...row, ...by } : row)));
  const whole = problemAt(path);
  return (
    <fieldset className="field trigger-wide" aria-describedby={whole === undefined ? undefined : id}>
      <legend>{label}</legend>
      {rows.map(({ from, to, percent, percentages }, index) => {
        const at = (name: string) => problemAt(`${path}.${index}.${name}`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity besides their position
          <div key={index} className="trigger-row">
            <PlanField
              label={shows.to ? 'From plan' : 'Plan'}
              options={options}
              among={among}
              value={from}
              problem={at('carrierCode') ?? at('fromCarrierCode') ?? problemAt(`${path}.${index}`)}
              onChange={(code) => change(index, { from: code })}
            />
            {shows.to && (
              <PlanField
                label="To plan"
                options={options}
                among={among}
                value={to}
                problem={at('toCarrierCode')}
                onChange={(code) => change(index, { to: code })}
              />
            )}
            {shows.percent !== undefined && (
              <TextField
                label="At percent"
                inputMode="numeric"
                required
                value={percent}
                problem={at(shows.percent)}
                onChange={(event) => change(index, { percent: event.target.value })}
              />
            )}
            {shows.percentages && (
              <PercentageField
                label="Fires at"
                value={percentages}
                problem={at('percentage')}
                onChange={(next) => change(index, { percentages: next })}
              />
            )}
            <Button
              kind="plain"
              aria-label={`Remove plan ${index + 1}`}
              disabled={rows.length === 1}
              onClick={() => onChange(rows.filter((_, n) => n !== index))}
            >
              Remove
            </Button>
          </div>
        );
      })}
      {whole !== undefined && (
        <small id={id} role="alert">
          {whole}
        </small>
      )}
      <div>
        <Button onClick={() => onChange([...rows, NEW_ROW])}>Add a plan</Button>
      </div>
    </fieldset>
  );
}
