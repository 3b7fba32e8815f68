import { PageHead } from '../../parts/PageHead.tsx';
import { DifferencesCard } from './DifferencesCard.tsx';
import { ElementsCard } from './ElementsCard.tsx';
import { FeedsCard } from './FeedsCard.tsx';

/** The network behind the lines: its state, the differences, and the actions on them. */
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
