import { useQuery } from '@tanstack/react-query';
import { readService } from '../../api/work.ts';
import { PageHead } from '../../parts/PageHead.tsx';
import { FeedsCard } from './FeedsCard.tsx';
import { JobsCard } from './JobsCard.tsx';
import { ProcessesCard } from './ProcessesCard.tsx';
import { RetentionCard } from './RetentionCard.tsx';

/** Polling interval, because nothing reports that a process starts or stops. */
const AGAIN_MS = 5_000;

/** The processes, the feeds and the jobs. */
export default function Work() {
  const service = useQuery({
    queryKey: ['work', 'service'],
    queryFn: ({ signal }) => readService(signal),
    refetchInterval: AGAIN_MS,
  });
  return (
    <>
      <PageHead title="Work" />
      <div className="grid">
        <ProcessesCard service={service} />
        <FeedsCard service={service} />
        <RetentionCard service={service} />
        <JobsCard />
      </div>
    </>
  );
}
