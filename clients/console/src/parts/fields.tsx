import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface Said {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value; screen readers announce it. */
  readonly problem?: string | undefined;
}

/** Connects a label, a hint and a problem with the control that `children` renders. */
function Field({
  label,
  hint,
  problem,
  children,
}: Said & {
  readonly children: (ids: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}) {
  const id = useId();
  const about = problem ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(about !== undefined && { 'aria-describedby': `${id}-about` }),
        ...(problem !== undefined && { 'aria-invalid': true }),
      })}
      {about !== undefined && (
        <small id={`${id}-about`} role={problem === undefined ? undefined : 'alert'}>
          {about}
        </small>
      )}
    </div>
  );
}

export function TextField({ label, hint, problem, ...input }: Said & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => <input type="text" {...input} {...ids} className="input" />}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  problem,
  options,
  ...select
}: Said &
  SelectHTMLAttributes<HTMLSelectElement> & {
    readonly options: readonly { readonly value: string; readonly label: string }[];
  }) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <select {...select} {...ids} className="input">
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  problem,
  ...area
}: Said & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => <textarea {...area} {...ids} className="input" />}
    </Field>
  );
}

export function CheckField({
  label,
  ...input
}: { readonly label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      {label}
    </label>
  );
}
