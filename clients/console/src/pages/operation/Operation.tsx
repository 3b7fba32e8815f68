import { useSession } from '../../app/session.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { ActionsCard } from './ActionsCard.tsx';
import { ClockCard } from './ClockCard.tsx';

export default function Operation() {
  const { sandbox } = useSession();
  return (
    <>
      <PageHead title="Clock and pauses" />
      <div className="grid">
        {sandbox && <ClockCard />}
        <ActionsCard />
      </div>
    </>
  );
}
