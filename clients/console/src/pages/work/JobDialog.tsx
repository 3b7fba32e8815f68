import type { Job } from '../../api/work.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { formatTime } from '../../text/format.ts';

/** The details of a job. Its payload stays in the service, because it may contain customer data. */
export function JobDialog({ job, onClose }: { readonly job: Job; readonly onClose: () => void }) {
  const facts: readonly [string, string | null][] = [
    ['State', job.state],
    ['Customer', job.ecpdId],
    ['Key', job.key],
    ['Due', formatTime(job.dueAt)],
    ['Created', formatTime(job.createdAt)],
    ['Ended', job.finishedAt === null ? null : formatTime(job.finishedAt)],
    ['Attempts', `${job.attempts} of ${job.attemptsMax}`],
    ['Request', job.requestId],
    ['Id', job.id],
  ];
  return (
    <Dialog title={job.kind} onClose={onClose}>
      <div className="stack">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value ?? '–'}</dd>
            </div>
          ))}
        </dl>
        {job.lastError !== null && <h3 className="small">Last error</h3>}
        {job.lastError !== null && <pre className="json">{job.lastError}</pre>}
      </div>
    </Dialog>
  );
}
