import { SelectField, TextField } from '../../../parts/fields.tsx';
import { AccountsField } from './AccountsField.tsx';
import { choices, PAYG, type TriggerForm } from './form.ts';
import { PercentageField } from './PercentageField.tsx';
import { PlanField } from './PlanField.tsx';
import { SuspensionFields } from './SuspensionFields.tsx';
import { ThresholdField } from './ThresholdField.tsx';

const TYPES = choices(
  ['Individual', 'Usage per line'],
  ['AccountLevel', 'Usage per account'],
  ['UsageAllowance', 'Share of the plan’s allowance'],
  ['Aging', 'Time of a line on the plan'],
);
const COMPARATORS = choices(['gt', 'more than'], ['lt', 'less than'], ['eq', 'exactly']);
const CYCLES = choices(['Daily', 'Daily'], ['Weekly', 'Weekly'], ['Monthly', 'Monthly']);
const SUMS = choices(['Separate', 'Each account separately'], ['Combined', 'All accounts together']);
const CONDITION = `${PAYG}.condition`;
const ACTION = `${PAYG}.action`;

function Condition({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt } = form;
  const { conditionType } = draft;
  if (conditionType === 'UsageAllowance')
    return (
      <PercentageField
        label="Fires at"
        value={draft.percentages}
        problem={problemAt(CONDITION)}
        onChange={(percentages) => set({ percentages })}
      />
    );
  if (conditionType === 'Aging')
    return (
      <TextField
        label="Billing months on the plan"
        inputMode="numeric"
        required
        value={draft.billCycles}
        problem={problemAt(`${ACTION}.agingDetails.onNumberOfBillCycle`)}
        onChange={(event) => set({ billCycles: event.target.value })}
      />
    );
  return (
    <>
      <SelectField
        label="Fires when usage is"
        options={COMPARATORS}
        value={draft.comparator}
        problem={problemAt(`${CONDITION}.comparator`)}
        onChange={(event) => set({ comparator: event.target.value })}
      />
      <ThresholdField form={form} of="threshold" path={CONDITION} label="Threshold" />
      <SelectField
        label="Counted"
        options={CYCLES}
        value={draft.cycleType}
        problem={problemAt(`${CONDITION}.cycleType`)}
        onChange={(event) => set({ cycleType: event.target.value })}
      />
      {conditionType === 'AccountLevel' && (
        <SelectField
          label="Accounts are counted"
          options={SUMS}
          value={draft.separateOrCombined}
          problem={problemAt(`${CONDITION}.separateOrCombined`)}
          onChange={(event) => set({ separateOrCombined: event.target.value })}
        />
      )}
    </>
  );
}

function Action({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt, options } = form;
  if (draft.action === 'suspend')
    return (
      <>
        <SuspensionFields form={form} path={`${ACTION}.suspendDetails`} />
        {draft.conditionType === 'AccountLevel' && (
          <ThresholdField
            form={form}
            of="suspendThreshold"
            path={`${ACTION}.suspendDetails`}
            label="Suspends above"
          />
        )}
        <AccountsField
          label="Suspends lines of"
          hint="None selected: all watched accounts."
          form={form}
          of="suspendFrom"
          path={`${ACTION}.suspendDetails.suspendFromAccounts`}
        />
      </>
    );
  if (draft.action !== 'changePlan') return null;
  const details = draft.conditionType === 'Aging' ? 'agingDetails' : 'changePlanDetails';
  return (
    <PlanField
      label="New plan"
      options={options}
      value={draft.toPlan}
      problem={
        problemAt(`${ACTION}.${details}.toCarrierServicePlanCode`) ?? problemAt(`${ACTION}.changePlan`)
      }
      onChange={(toPlan) => set({ toPlan })}
    />
  );
}

export function PayAsYouGoFields({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt, options } = form;
  const changes = draft.conditionType === 'Individual' || draft.conditionType === 'Aging';
  return (
    <>
      <PlanField
        label="Plan"
        options={options}
        value={draft.plan}
        problem={problemAt(`${PAYG}.filterCriteria.carrierServicePlanCode`)}
        onChange={(plan) => set({ plan })}
      />
      <AccountsField
        label="Accounts"
        form={form}
        of="accounts"
        path={`${PAYG}.filterCriteria.accountNameList`}
      />
      <SelectField
        label="Watches"
        options={TYPES}
        value={draft.conditionType}
        problem={problemAt(`${CONDITION}.conditionType`)}
        onChange={({ target: { value } }) =>
          set({
            conditionType: value,
            ...(draft.action === 'changePlan' && /^(AccountLevel|UsageAllowance)$/.test(value)
              ? { action: 'notify' }
              : {}),
          })
        }
      />
      <Condition form={form} />
      <SelectField
        label="Then"
        options={choices(
          ['notify', 'notify'],
          ['suspend', 'notify and suspend'],
          ...(changes ? ([['changePlan', 'notify and change the plan']] as const) : []),
        )}
        value={draft.action}
        onChange={({ target: { value } }) => set({ action: value as typeof draft.action })}
      />
      <Action form={form} />
    </>
  );
}
