import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AttemptRequest, type MadeAttempt, readAttempt } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';

const isAcknowledged = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const SIGNATURES = {
  verifies: { tone: 'good', badge: 'Signature valid' },
  changed: { tone: 'warn', badge: 'Signature cannot be checked' },
  unknown: { tone: 'none', badge: 'Signature not stored' },
  noListener: { tone: 'none', badge: 'Signature cannot be checked' },
} as const;

function signatureWords({ signature, isWithheld, signedAt }: AttemptRequest): string {
  if (signature === 'verifies')
    return 'A secret that is valid now verifies it over the id, timestamp and body that were sent.';
  if (signature === 'noListener') return 'No listener exists now, so there is no secret to check it with.';
  if (signature === 'unknown' || signedAt === null)
    return 'Nothing was sent, or it was sent before signatures were stored.';
  if (isWithheld)
    return 'The body shown differs from the one sent, because the consent for its position was withdrawn.';
  return 'The secret, username, password or consent has changed. The body shown is the one that would be sent now.';
}

/** Shows content from other systems as plain text. */
function Listing({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <figure className="stack" style={{ gap: 2 }}>
      <figcaption className="small soft">{title}</figcaption>
      <pre className="json">{children}</pre>
    </figure>
  );
}

function Request({ request }: { readonly request: AttemptRequest }) {
  const { url, isChanged, isWithheld, signedAt, headers, body, signature } = request;
  const { tone, badge } = SIGNATURES[signature];
  return (
    <div className="stack" style={{ gap: 6 }}>
      <p className="small">
        <Badge tone={tone}>{badge}</Badge> <span className="soft">{signatureWords(request)}</span>
      </p>
      {signedAt !== null && <p className="small soft">Sent {formatTime(signedAt)} in real time.</p>}
      {isChanged && (
        <p className="small soft">The listener has changed since. This may have gone to another address.</p>
      )}
      <Listing title="Headers">
        {[`POST ${url ?? '(no listener)'}`, ...headers.map(({ name, value }) => `${name}: ${value}`)].join(
          '\n',
        )}
      </Listing>
      <Listing title="Body">{body}</Listing>
      <p className="small soft">
        Username and password are hidden here, but the signature covers them.
        {isWithheld && ' The position is withheld.'}
      </p>
    </div>
  );
}

function RequestOf({ messageId, made }: { readonly messageId: string; readonly made: MadeAttempt }) {
  const accountName = useAccount();
  const [isOpen, setOpen] = useState(false);
  const { series, attempt } = made;
  const request = useQuery({
    queryKey: ['callbacks', accountName, 'attempt', messageId, series, attempt],
    queryFn: ({ signal }) => readAttempt(accountName, messageId, made, signal),
    enabled: isOpen,
  });
  return (
    <details className="attempt-request" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="small">Request</summary>
      <ReadProblem error={request.error} data={request.data} retry={() => void request.refetch()} />
      {request.isLoading && <Skeleton height={180} />}
      {request.data && <Request request={request.data} />}
    </details>
  );
}

function Attempt({ messageId, made }: { readonly messageId: string; readonly made: MadeAttempt }) {
  const { series, attempt, at, status, latencyMs, error, body, headers } = made;
  return (
    <li className="stack" style={{ gap: 6 }}>
      <div className="row">
        <Badge tone={isAcknowledged(status) ? 'good' : 'bad'}>{status ?? 'No answer'}</Badge>
        <span>
          Attempt {attempt}
          {series > 1 && ` of series ${series}`}
        </span>
        <span className="soft small">
          {formatTime(at)} · took {formatNumber(latencyMs)} ms
        </span>
      </div>
      {error !== null && <p className="small soft">{error}</p>}
      <RequestOf messageId={messageId} made={made} />
      {headers !== null && <Listing title="Answer headers">{headers}</Listing>}
      {body !== '' && <Listing title="Answer body">{body}</Listing>}
    </li>
  );
}

/** Newest first, because that is usually the one of interest. */
export function AttemptList({
  messageId,
  attempts,
}: {
  readonly messageId: string;
  readonly attempts: readonly MadeAttempt[];
}) {
  if (attempts.length === 0) return <Empty title="No attempt yet" />;
  return (
    <ol className="stack" style={{ listStyle: 'none', gap: 14 }} aria-label="Attempts">
      {attempts.toReversed().map((made) => (
        <Attempt key={`${made.series} ${made.attempt}`} messageId={messageId} made={made} />
      ))}
    </ol>
  );
}
