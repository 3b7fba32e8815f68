import { useId } from 'react';
import { Button } from '../../parts/Button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { OPERATORS, type Operator } from '../../text/comparison.ts';
import { type DraftRow, NEW_ROW, type RuleDraft, sayRule, takesValue } from './rule-draft.ts';

const CHOICES = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }));
const HINTS: Partial<Record<Operator, string>> = {
  between: 'Two values: 20, 30',
  in: 'Values separated by commas: on, auto',
};

/** A form for a rule, with a sentence that explains it. */
export function RuleBuilder({
  draft,
  fields,
  onChange,
}: {
  readonly draft: RuleDraft;
  /** The fields that the device has reported so far. */
  readonly fields: readonly string[];
  readonly onChange: (draft: RuleDraft) => void;
}) {
  const list = useId();
  const { match, rows, minutes, message } = draft;
  const set = (change: Partial<RuleDraft>) => onChange({ ...draft, ...change });
  const setRow = (at: number, change: Partial<DraftRow>) =>
    set({ rows: rows.map((row, n) => (n === at ? { ...row, ...change } : row)) });
  return (
    <>
      <datalist id={list}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      <fieldset className="field">
        <legend>Condition</legend>
        {rows.map(({ field, operator, value }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity besides their position
          <div key={n} className="rule-row">
            <TextField
              label="Field"
              list={list}
              required
              maxLength={200}
              value={field}
              onChange={({ target }) => setRow(n, { field: target.value })}
            />
            <SelectField
              label="Operator"
              options={CHOICES}
              value={operator}
              onChange={({ target }) => setRow(n, { operator: target.value as Operator })}
            />
            {takesValue(operator) && (
              <TextField
                label="Value"
                required
                hint={HINTS[operator]}
                value={value}
                onChange={({ target }) => setRow(n, { value: target.value })}
              />
            )}
            <Button
              kind="plain"
              aria-label={`Remove condition ${n + 1}`}
              disabled={rows.length === 1}
              onClick={() => set({ rows: rows.filter((_, other) => other !== n) })}
            >
              Remove
            </Button>
          </div>
        ))}
        <div className="row">
          <Button onClick={() => set({ rows: [...rows, NEW_ROW] })}>Add a condition</Button>
          {rows.length > 1 && (
            <select
              className="input"
              style={{ width: 220 }}
              aria-label="How conditions combine"
              value={match}
              onChange={({ target }) => set({ match: target.value as RuleDraft['match'] })}
            >
              <option value="all">All conditions must hold</option>
              <option value="any">Any condition must hold</option>
            </select>
          )}
        </div>
      </fieldset>
      <div className="rule-row">
        <TextField
          label="Duration in minutes"
          hint="Empty: at once"
          inputMode="numeric"
          pattern="[0-9]{1,6}"
          value={minutes}
          onChange={({ target }) => set({ minutes: target.value })}
        />
        <TextField
          label="Message"
          hint="Empty: a default message"
          maxLength={1_000}
          value={message}
          onChange={({ target }) => set({ message: target.value })}
        />
      </div>
      <p role="status">{sayRule(draft)}</p>
    </>
  );
}
