import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Line, listFailedLines } from '../api/lines.ts';
import { Button } from '../parts/Button.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ErrorText, sentenceOf } from '../parts/states.tsx';
import { formatNumber } from '../text/format.ts';
import { countLines } from './actions.ts';
import { FollowedRequest } from './FollowedRequest.tsx';
import { isSending, type Part, type Run, useRuns } from './runs.ts';

const requestIdOf = ({ sent }: Part): string | undefined =>
  sent !== undefined && 'requestId' in sent ? sent.requestId : undefined;

const sumOf = (parts: readonly Part[], ...states: readonly Part['state'][]): number =>
  parts.filter(({ state }) => states.includes(state)).reduce((sum, { lines }) => sum + lines.length, 0);

/** How many lines the service has accepted so far. */
function Progress({ run: { parts, count } }: { readonly run: Run }) {
  const sent = sumOf(parts, 'sent');
  const partsSent = parts.filter(({ state }) => state === 'sent').length;
  if (sent === count) return <p role="status">{countLines(count)} sent.</p>;
  return (
    <p role="status">
      {formatNumber(sent)} of {countLines(count)} so far
      {parts.length > 1 && `, ${partsSent} of ${parts.length} parts`}.
    </p>
  );
}

function Troubles({ run }: { readonly run: Run }) {
  const { sendAgain } = useRuns(run.accountName);
  const { parts, action } = run;
  // The call that locates a few lines has no protection against repeats.
  const repeated =
    action.kind === 'locate'
      ? 'Sending them again may locate and bill them twice.'
      : 'Sending them again is safe: nothing is done twice.';
  const failed = parts.filter(({ state }) => state === 'refused' || state === 'unanswered');
  if (failed.length === 0) return null;
  const waiting = sumOf(parts, 'waiting');
  return (
    <div className="stack" role="alert">
      {failed.map(({ key, state, lines, error }) => (
        <p key={key} className="problem">
          {state === 'refused'
            ? `${countLines(lines.length)} refused. ${sentenceOf(error)}`
            : `The service may or may not have received ${countLines(lines.length)}. ${sentenceOf(error)} ${repeated}`}
        </p>
      ))}
      {waiting > 0 && <p>{countLines(waiting)} not sent yet.</p>}
      <div className="row">
        <Button busy={isSending(run)} onClick={() => sendAgain(run)}>
          Send again
        </Button>
      </div>
    </div>
  );
}

/** The answer of the service when there is no request to track. */
function Said({ run }: { readonly run: Run }) {
  const { accountName, parts } = run;
  return parts.map(({ key, sent }) => {
    if (sent === undefined || 'requestId' in sent) return null;
    if ('report' in sent)
      return (
        <p key={key}>
          A location report was created:{' '}
          <Link href={`/accounts/${accountName}/location-reports/${sent.report}`}>open it</Link>
        </p>
      );
    return (
      <div key={key}>
        <p>{sent.said}</p>
        {sent.problems?.map((problem) => (
          <p key={problem} className="problem">
            {problem}
          </p>
        ))}
      </div>
    );
  });
}

export function RunView({
  run,
  onAgain,
  onClose,
}: {
  readonly run: Run;
  readonly onAgain: (failed: readonly Line[]) => void;
  readonly onClose: () => void;
}) {
  const { accountName, parts } = run;
  const requests = parts.flatMap((part) => requestIdOf(part) ?? []);
  const [chosen, setChosen] = useState<string>();
  const followed = chosen ?? requests[0];
  const collecting = useMutation({
    mutationFn: async () => {
      const failed: Line[] = [];
      for (const requestId of requests) failed.push(...(await listFailedLines(accountName, requestId)));
      return failed;
    },
    onSuccess: onAgain,
  });
  return (
    <div className="form">
      <Progress run={run} />
      <Troubles run={run} />
      <Said run={run} />
      {requests.length > 1 && (
        <SelectField
          label="Part"
          value={followed}
          options={requests.map((id, n) => ({ value: id, label: `Part ${n + 1}` }))}
          onChange={({ target }) => setChosen(target.value)}
        />
      )}
      {followed !== undefined && (
        <FollowedRequest
          key={followed}
          accountName={accountName}
          requestId={followed}
          again={() => (
            <Button busy={collecting.isPending} onClick={() => collecting.mutate()}>
              Retry the failed lines
            </Button>
          )}
        />
      )}
      {collecting.isError && <ErrorText error={collecting.error} />}
      <div className="form-actions">
        <Button kind="main" onClick={onClose}>
          {isSending(run) ? 'Close and continue' : 'Done'}
        </Button>
      </div>
    </div>
  );
}
