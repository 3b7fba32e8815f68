import { SelectField } from '../../../parts/fields.tsx';
import { choices, type TriggerForm } from './form.ts';

const DURATIONS = choices(
  ['NextBillCycle', 'Until the next billing month'],
  ['30', '30 days'],
  ['60', '60 days'],
  ['90', '90 days'],
);
const OPTIONS = choices(['WithoutBilling', 'Without billing'], ['WithBilling', 'With billing']);

export function SuspensionFields({
  form: { draft, set, problemAt },
  path,
}: {
  readonly form: TriggerForm;
  readonly path: string;
}) {
  return (
    <>
      <SelectField
        label="Suspend"
        options={DURATIONS}
        value={draft.suspendDuration}
        problem={problemAt(`${path}.suspendDuration`)}
        onChange={(event) => set({ suspendDuration: event.target.value })}
      />
      <SelectField
        label="Billing"
        options={OPTIONS}
        value={draft.suspendOption}
        problem={problemAt(`${path}.suspendOption`)}
        onChange={(event) => set({ suspendOption: event.target.value })}
      />
    </>
  );
}
