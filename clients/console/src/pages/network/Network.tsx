import { PageHead } from '../../parts/PageHead.tsx';
import { DifferencesCard } from './DifferencesCard.tsx';
import { ElementsCard } from './ElementsCard.tsx';
import { FeedsCard } from './FeedsCard.tsx';

/** What lines have behind them: how it is, what differs, and what can be done about it. */
export default function Network() {
  return (
    <>
      <PageHead title="Network" />
      <div className="grid">
        <ElementsCard />
        <FeedsCard />
        <DifferencesCard />
      </div>
    </>
  );
}
