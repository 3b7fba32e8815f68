import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type LoggedCall, readCall } from '../../api/sandbox.ts';
import { Badge } from '../../parts/Badge.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { ReadProblem } from '../../parts/states.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

function Body({ title, body }: { readonly title: string; readonly body: unknown }) {
  if (body == null || body === '') return null;
  return (
    <section className="stack" style={{ gap: 6 }}>
      <h3 className="small">{title}</h3>
      <pre className="json">{textOf(body)}</pre>
    </section>
  );
}

/** Everything that the call caused, each with a link to its list. */
function linesOf({ callbacks, firings, mails, jobs }: LoggedCall['caused']): readonly [string, ReactNode][] {
  return [
    ...callbacks.map(({ id, accountName, serviceName, requestId }): [string, ReactNode] => [
      id,
      <Link key={id} href={`/accounts/${accountName}/callbacks?request=${encodeURIComponent(requestId)}`}>
        Callback of {serviceName}
      </Link>,
    ]),
    ...firings.map(({ firingId, accountName }): [string, ReactNode] => [
      firingId,
      <Link key={firingId} href={`/accounts/${accountName}/triggers`}>
        A trigger fired
      </Link>,
    ]),
    ...mails.map(({ id, channel, subject }): [string, ReactNode] => [
      id,
      <Link key={id} href={`/sandbox/inbox${channel === 'sms' ? '?channel=sms' : ''}`}>
        {channel === 'sms' ? 'SMS' : 'Mail'} {subject}
      </Link>,
    ]),
    ...jobs.map(({ id, kind, state }): [string, ReactNode] => [id, `Job ${kind}: ${state}`]),
  ];
}

/** One call: its request, its answer and its effects. */
export function CallDialog({ call, onClose }: { readonly call: LoggedCall; readonly onClose: () => void }) {
  const whole = useQuery({
    queryKey: ['calls', call.id],
    queryFn: ({ signal }) => readCall(call.id, signal),
  });
  const { method, path, status, durationMs, caller, accountName, operation, reason, at } = call;
  const { request, answer, caused, curl, injected } = { curl: undefined, ...call, ...whole.data };
  const lines = linesOf(caused);
  return (
    <Dialog title={`${method} ${path}`} wide onClose={onClose}>
      <div className="stack">
        <ReadProblem error={whole.error} data={call} retry={() => void whole.refetch()} />
        <dl className="facts">
          <dt>When</dt>
          <dd>
            {formatTime(String(at))}, took {formatNumber(Math.round(durationMs))} ms
          </dd>
          <dt>Answer</dt>
          <dd>
            {status ?? 'None'} {injected != null && <Badge tone="accent">failed on purpose</Badge>}
          </dd>
          {reason !== null && (
            <>
              <dt>Why</dt>
              <dd>
                {reason.message}
                {reason.detail !== undefined && `: ${reason.detail}`}{' '}
                <span className="soft">{reason.code}</span>
              </dd>
            </>
          )}
          <dt>Operation</dt>
          <dd className="mono">{operation ?? '–'}</dd>
          <dt>Who</dt>
          <dd>{caller === null ? '–' : `${caller.name} (${caller.kind})`}</dd>
          <dt>Account</dt>
          <dd className="mono">{accountName ?? '–'}</dd>
          <dt>Caused</dt>
          <dd>
            {lines.length === 0 && 'Nothing'}
            <ul style={{ listStyle: 'none' }}>
              {lines.map(([id, line]) => (
                <li key={id}>{line}</li>
              ))}
            </ul>
            {caused.more && <p className="soft small">and more</p>}
          </dd>
        </dl>
        <Body title="Sent" body={request} />
        <Body title="Answered" body={answer} />
        {curl !== undefined && (
          <section className="stack" style={{ gap: 6 }}>
            <div className="row">
              <h3 className="small">The same call from a shell</h3>
              <CopyButton label="Copy the command" text={curl} />
            </div>
            <pre className="json">{curl}</pre>
          </section>
        )}
      </div>
    </Dialog>
  );
}
