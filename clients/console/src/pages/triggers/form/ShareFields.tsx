import { CheckField, SelectField, TextField } from '../../../parts/fields.tsx';
import { planWords } from '../sentence.ts';
import type { Draft, Moves } from './draft.ts';
import { choices, SHARE, type TriggerForm } from './form.ts';
import { PercentageField } from './PercentageField.tsx';
import { PlanRows } from './PlanRows.tsx';
import { SuspensionFields } from './SuspensionFields.tsx';

const DATES = choices(['CurrentDate', 'From now on'], ['BackDate', 'Backdated']);
const LINES = `${SHARE}.accountGroupShareIndividual`;
const POOL = `${SHARE}.accountGroupSharePool`;

const plansOf = ({ draft, options }: TriggerForm): readonly string[] | undefined =>
  options?.groups.find(({ id }) => String(id) === draft.groupId)?.planCodes;

function LineAction({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt, options } = form;
  const { action, rows, triggerDate } = draft;
  const among = plansOf(form);
  const rest = { rows, problemAt, options, among, onChange: (next: Draft['rows']) => set({ rows: next }) };
  if (action === 'notify')
    return (
      <PlanRows
        {...rest}
        label="Plans"
        shows={{ percentages: true }}
        path={`${LINES}.action.notify.threshold`}
      />
    );
  if (action === 'suspend')
    return (
      <>
        <SuspensionFields form={form} path={`${LINES}.action.suspend`} />
        <PlanRows
          {...rest}
          label="Plans"
          shows={{ percent: 'usagePercentage' }}
          path={`${LINES}.action.suspend.threshold`}
        />
      </>
    );
  return (
    <>
      <SelectField
        label="New plan effective"
        options={DATES}
        value={triggerDate}
        problem={problemAt(`${LINES}.action.changePlan.triggerDate`)}
        onChange={(event) => set({ triggerDate: event.target.value })}
      />
      <PlanRows
        {...rest}
        label="Changes"
        shows={{ to: true, percent: 'criteriaPercentage' }}
        path={`${LINES}.action.changePlan.sharePlan`}
      />
    </>
  );
}

function MoveFields({ form, way }: { readonly form: TriggerForm; readonly way: 'above' | 'below' }) {
  const { draft, set, problemAt, options } = form;
  const moves = draft[way];
  const change = (by: Partial<Moves>) => set({ [way]: { ...moves, ...by } });
  const path = `${POOL}.action.changePlan.${way === 'above' ? 'changePlanGT' : 'changePlanLT'}`;
  return (
    <>
      <div className="trigger-wide">
        <CheckField
          label={
            way === 'above'
              ? 'Larger plans when the pool is used up'
              : 'Smaller plans when the pool is not used up'
          }
          checked={moves.wanted}
          onChange={(event) => change({ wanted: event.target.checked })}
        />
      </div>
      {moves.wanted && (
        <>
          <TextField
            label="Free share above usage, in percent"
            inputMode="numeric"
            required
            value={moves.buffer}
            problem={problemAt(`${path}.dataPoolOverageBuffer`)}
            onChange={(event) => change({ buffer: event.target.value })}
          />
          <SelectField
            label="New plan effective"
            options={DATES}
            value={moves.date}
            problem={problemAt(`${path}.triggerDate`)}
            onChange={(event) => change({ date: event.target.value })}
          />
          <PlanRows
            label="Changes"
            rows={moves.rows}
            shows={{ to: true }}
            path={`${path}.changePlan`}
            problemAt={problemAt}
            options={options}
            among={plansOf(form)}
            onChange={(rows) => change({ rows })}
          />
        </>
      )}
    </>
  );
}

function PoolAction({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt } = form;
  if (draft.action === 'notify')
    return (
      <PercentageField
        label="Fires at"
        value={draft.percentages}
        problem={problemAt(`${POOL}.action.notify.threshold.0.percentage`)}
        onChange={(percentages) => set({ percentages })}
      />
    );
  const neither = problemAt(`${POOL}.action.changePlan`);
  return (
    <>
      <MoveFields form={form} way="above" />
      <MoveFields form={form} way="below" />
      {neither !== undefined && (
        <p className="problem trigger-wide" role="alert">
          {neither}
        </p>
      )}
    </>
  );
}

export function ShareFields({ form }: { readonly form: TriggerForm }) {
  const { draft, set, problemAt, options } = form;
  const isPool = draft.kind === 'sharePool';
  const groups = options?.groups.map(
    ({ id, planCodes }) =>
      [String(id), `${id}: ${planCodes.map((code) => planWords(code, options)).join(', ')}`] as const,
  );
  const known = groups?.some(([id]) => id === draft.groupId) ?? false;
  return (
    <>
      <SelectField
        label="Rate plan group"
        required
        options={choices(
          ...(known ? [] : [[draft.groupId, draft.groupId === '' ? 'Choose one' : draft.groupId] as const]),
          ...(groups ?? []),
        )}
        value={draft.groupId}
        problem={problemAt(`${isPool ? POOL : LINES}.filterCriteria.ratePlanGroupId`)}
        onChange={(event) => set({ groupId: event.target.value })}
      />
      <SelectField
        label="Then"
        options={choices(
          ['notify', 'notify'],
          ...(isPool ? [] : ([['suspend', 'notify and suspend the line']] as const)),
          ['changePlan', 'notify and change plans'],
        )}
        value={draft.action}
        problem={problemAt(`${isPool ? POOL : LINES}.condition.action`)}
        onChange={({ target: { value } }) => set({ action: value as Draft['action'] })}
      />
      {isPool ? <PoolAction form={form} /> : <LineAction form={form} />}
    </>
  );
}
