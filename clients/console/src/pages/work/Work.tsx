import { useQuery } from '@tanstack/react-query';
import { readService } from '../../api/work.ts';
import { PageHead } from '../../parts/PageHead.tsx';
import { FeedsCard } from './FeedsCard.tsx';
import { JobsCard } from './JobsCard.tsx';
import { ProcessesCard } from './ProcessesCard.tsx';
import { RetentionCard } from './RetentionCard.tsx';

/** Nobody tells when a process comes or goes. */
const AGAIN_MS = 5_000;

/** Who works, what is fed and what is to be done. */
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
