import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  countFailed,
  type FailedCount,
  type ListenedService,
  type ResendScope,
} from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorText, ReadProblem } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';
import { RESENT_MAX, useResendRun } from './resend-run.ts';

const callbacks = (count: number): string =>
  count === 1 ? 'One failed callback' : `${formatNumber(count)} failed callbacks`;

/** Describes the scope, to follow a number of callbacks. */
function scopeWords({ serviceName, requestId, since, until }: ResendScope): string {
  const time = (ms: number) => formatTime(new Date(ms).toISOString());
  const which = [
    serviceName !== undefined && `of ${serviceName}`,
    requestId !== undefined && `of the request ${requestId}`,
    since !== undefined && `created from ${time(since)} on`,
    until !== undefined && `created before ${time(until)}`,
  ].filter((words) => words !== false);
  return which.length === 0 ? 'of the account' : which.join(', ');
}

const WHAT_FOLLOWS =
  'in a new series of up to four attempts, oldest first. Each keeps its webhook-id, but listeners may process it again. If the consent for a position was withdrawn, the listener gets a notice instead of the position.';

const totalOf = (services: FailedCount['services']): number =>
  services.reduce((sum, { failed }) => sum + failed, 0);

function Consequences({ scope, counted }: { readonly scope: ResendScope; readonly counted: FailedCount }) {
  const [sent, kept] = [true, false].map((has) => counted.services.filter((one) => one.hasListener === has));
  const count = totalOf(sent!);
  return (
    <div role="status" className="stack" style={{ gap: 6 }}>
      {count === 0 ? (
        <p>There is no failed callback {scopeWords(scope)} with a listener.</p>
      ) : (
        <p>
          <strong>{callbacks(count)}</strong> {scopeWords(scope)} will be re-sent {WHAT_FOLLOWS}
        </p>
      )}
      {kept!.map(({ serviceName, failed }) => (
        <p key={serviceName} className="small soft">
          {callbacks(failed)} of {serviceName} {failed === 1 ? 'has' : 'have'} no listener and{' '}
          {failed === 1 ? 'stays' : 'stay'} failed.
        </p>
      ))}
      {!counted.isAll && (
        <p className="small soft">
          There are more than {formatNumber(RESENT_MAX)}, the limit of one run. Run it again for the rest.
        </p>
      )}
    </div>
  );
}

/** Date fields have no zone, so the input is UTC, like all times here. */
const parseMoment = (text: string): number | undefined => (text === '' ? undefined : Date.parse(`${text}Z`));

interface ScopeFieldsProps {
  readonly scope: ResendScope;
  readonly services: readonly ListenedService[];
  readonly onChange: (scope: ResendScope) => void;
  readonly disabled: boolean;
}

function ScopeFields({ scope, services, onChange, disabled }: ScopeFieldsProps) {
  return (
    <>
      <SelectField
        label="Service"
        disabled={disabled}
        value={scope.serviceName ?? ''}
        onChange={({ target }) =>
          onChange({ ...scope, serviceName: services.find((one) => one === target.value) })
        }
        options={[
          { value: '', label: 'All services' },
          ...services.map((one) => ({ value: one, label: one })),
        ]}
      />
      <div className="moments">
        <TextField
          label="Created from (UTC)"
          type="datetime-local"
          step={1}
          disabled={disabled}
          onChange={({ target }) => onChange({ ...scope, since: parseMoment(target.value) })}
        />
        <TextField
          label="Created before (UTC)"
          type="datetime-local"
          step={1}
          disabled={disabled}
          onChange={({ target }) => onChange({ ...scope, until: parseMoment(target.value) })}
        />
      </div>
    </>
  );
}

interface ResendDialogProps {
  readonly scope: ResendScope;
  readonly services: readonly ListenedService[];
  /** Called to clear the selection. */
  readonly onSent?: () => void;
  readonly onClose: () => void;
}

/** Says which callbacks will be re-sent and how many, because listeners may process each one again. */
export function ResendDialog({ scope: first, services, onSent, onClose }: ResendDialogProps) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [scope, setScope] = useState(first);
  const selected = scope.messageIds?.length;
  const counting = useQuery({
    // Not refetched on changes, so that the number stays the one that the user agreed to.
    queryKey: ['resends', accountName, scope],
    queryFn: ({ signal }) => countFailed(accountName, scope, signal),
    enabled: selected === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const counted = counting.data;
  const count = selected ?? (counted && totalOf(counted.services.filter(({ hasListener }) => hasListener)));
  const run = useResendRun(accountName, (resent) => {
    say(`${formatNumber(resent)} re-sent`);
    onSent?.();
    onClose();
    void queries.invalidateQueries({ queryKey: ['callbacks'] });
  });
  const change = (next: ResendScope) => {
    run.reset();
    setScope(next);
  };
  return (
    <Dialog title="Re-send failed callbacks?" onClose={onClose}>
      <div className="form">
        {selected === undefined ? (
          <ScopeFields scope={scope} services={services} onChange={change} disabled={run.isSending} />
        ) : (
          <p>
            The{' '}
            <strong>
              {selected === 1 ? 'failed callback' : `${formatNumber(selected)} failed callbacks`}
            </strong>{' '}
            that you selected will be re-sent {WHAT_FOLLOWS} Callbacks without a listener stay failed.
          </p>
        )}
        <ReadProblem error={counting.error} data={undefined} retry={() => void counting.refetch()} />
        {selected === undefined && counting.isFetching && <p role="status">Counting…</p>}
        {counted && !counting.isFetching && <Consequences scope={scope} counted={counted} />}
        {run.isSending && count !== undefined && (
          <p role="status">
            {formatNumber(run.resent)} of {formatNumber(count)} re-sent
          </p>
        )}
        {run.error !== null && <ErrorText error={run.error} />}
        <div className="form-actions">
          {run.isSending ? (
            <Button onClick={run.stop}>Stop</Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <Button
            kind="danger"
            busy={run.isSending}
            disabled={count === undefined || count === 0 || counting.isFetching}
            onClick={() => run.start(counted ? { ...scope, until: counted.until } : scope)}
          >
            {run.error === null ? 'Re-send' : 'Continue'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
