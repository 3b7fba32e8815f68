import type { Job } from '../../api/work.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { formatTime } from '../../text/format.ts';

/** All that is known of a job. What it is about stays in the service: it may be a customer's. */
export function JobDialog({ job, onClose }: { readonly job: Job; readonly onClose: () => void }) {
  const facts: readonly [string, string | null][] = [
    ['State', job.state],
    ['Customer', job.ecpdId],
    ['Key', job.key],
    ['Due', formatTime(job.dueAt)],
    ['Made', formatTime(job.createdAt)],
    ['Ended', job.finishedAt === null ? null : formatTime(job.finishedAt)],
    ['Tries', `${job.attempts} of ${job.attemptsMax}`],
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
