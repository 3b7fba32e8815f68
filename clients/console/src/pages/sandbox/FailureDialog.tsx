import { useState } from 'react';
import type { FaultRule } from '../../api/sandbox.ts';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';

const KINDS = [
  { value: 'status', label: 'Answer with a status' },
  { value: 'delay', label: 'Wait, then process the call' },
  { value: 'before', label: 'Cut the connection before processing the call' },
  { value: 'after', label: 'Process the call, then cut the connection' },
  { value: 'token', label: 'Let the caller’s token expire' },
];

/** The rule from the form's fields, without the empty ones. */
function readRule(form: FormData): FaultRule {
  const text = (name: string) => String(form.get(name) ?? '').trim() || undefined;
  const number = (name: string) => {
    const written = text(name);
    return written === undefined ? undefined : Number(written);
  };
  const which = text('which');
  const percent = number('percent');
  const kind = text('kind');
  const [status, delayMs, after, times] = ['status', 'delayMs', 'after', 'times'].map(number);
  const accountName = text('accountName');
  return {
    match: {
      ...(which !== undefined && (which.startsWith('/') ? { path: which } : { operation: which })),
      ...(accountName !== undefined && { accountName }),
      ...(percent !== undefined && percent < 100 && { probability: percent / 100 }),
    },
    ...(after !== undefined && { after }),
    ...(times !== undefined && { times }),
    // biome-ignore lint/suspicious/noThenProperty: the rule is data to send, and is never awaited
    then: {
      ...(delayMs !== undefined && { delayMs }),
      ...(kind === 'status' && { status: status ?? 503 }),
      ...((kind === 'before' || kind === 'after') && { drop: kind }),
      ...(kind === 'token' && { expireToken: true }),
    },
  };
}

const COUNT = { type: 'number', min: 0, step: 1 } as const;

export function FailureDialog({
  busy,
  error,
  onAdd,
  onClose,
}: {
  readonly busy: boolean;
  readonly error: unknown;
  readonly onAdd: (rule: FaultRule) => void;
  readonly onClose: () => void;
}) {
  const [kind, setKind] = useState('status');
  return (
    <Dialog title="New failure rule" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onAdd(readRule(new FormData(event.currentTarget)));
        }}
      >
        <TextField
          label="Which calls"
          name="which"
          maxLength={512}
          hint="An operation from the request log, or a path such as /m2m/v1/devices/*. Empty: every call of applications."
          autoFocus
        />
        <TextField label="Account" name="accountName" maxLength={32} hint="Empty: every account." />
        <SelectField
          label="Effect"
          name="kind"
          value={kind}
          onChange={(event) => setKind(event.target.value)}
          options={KINDS}
        />
        {kind === 'status' && (
          <TextField
            label="Status"
            name="status"
            {...COUNT}
            min={200}
            max={599}
            defaultValue="503"
            required
          />
        )}
        <TextField
          label="Wait before (milliseconds)"
          name="delayMs"
          {...COUNT}
          max={60_000}
          required={kind === 'delay'}
        />
        <div className="row" style={{ alignItems: 'flex-end' }}>
          <TextField label="How many times" name="times" {...COUNT} placeholder="always" />
          <TextField label="Calls that pass first" name="after" {...COUNT} placeholder="0" />
          <TextField label="Percent of calls" name="percent" {...COUNT} max={100} placeholder="100" />
        </div>
        {error !== null && <ErrorText error={error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={busy}>
            Add rule
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
