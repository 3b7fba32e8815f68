import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AttemptRequest, type MadeAttempt, readAttempt } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';

const isAcknowledged = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const SIGNATURES = {
  verifies: { tone: 'good', badge: 'Signature verifies' },
  changed: { tone: 'warn', badge: 'Signature cannot be checked' },
  unknown: { tone: 'none', badge: 'Signature was not kept' },
  noListener: { tone: 'none', badge: 'Signature cannot be checked' },
} as const;

function signatureWords({ signature, isWithheld, signedAt }: AttemptRequest): string {
  if (signature === 'verifies')
    return 'It was made with a secret that is valid now, over id, timestamp and body as they were sent.';
  if (signature === 'noListener') return 'There is no listener now, and so no secret to check it with.';
  if (signature === 'unknown' || signedAt === null)
    return 'Nothing was sent, or it was sent before this was kept.';
  if (isWithheld) return 'The body is not shown as it was sent: the consent for its position was withdrawn.';
  return 'Secret, username, password or consent are others now. The body is shown as it would be sent now.';
}

/** What others have sent, as text and nothing else. */
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
      {signedAt !== null && <p className="small soft">Sent {formatTime(signedAt)} by the real clock.</p>}
      {isChanged && (
        <p className="small soft">The listener was changed since: this may have gone to another address.</p>
      )}
      <Listing title="Headers">
        {[`POST ${url ?? '(no listener)'}`, ...headers.map(({ name, value }) => `${name}: ${value}`)].join(
          '\n',
        )}
      </Listing>
      <Listing title="Body">{body}</Listing>
      <p className="small soft">
        Username and password are hidden. The signature is over the body with them.
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
      {headers !== null && <Listing title="Headers of the answer">{headers}</Listing>}
      {body !== '' && <Listing title="Body of the answer">{body}</Listing>}
    </li>
  );
}

/** The newest first: that is the one that somebody asks about. */
export function AttemptList({
  messageId,
  attempts,
}: {
  readonly messageId: string;
  readonly attempts: readonly MadeAttempt[];
}) {
  if (attempts.length === 0) return <Empty title="It has not been tried" />;
  return (
    <ol className="stack" style={{ listStyle: 'none', gap: 14 }} aria-label="Attempts">
      {attempts.toReversed().map((made) => (
        <Attempt key={`${made.series} ${made.attempt}`} messageId={messageId} made={made} />
      ))}
    </ol>
  );
}
