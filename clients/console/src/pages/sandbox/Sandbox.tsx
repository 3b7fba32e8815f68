import { useLocation } from 'wouter';
import { PageHead } from '../../parts/PageHead.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { TOOLS, type Tool } from '../../sandbox/tools.ts';
import { Failures } from './Failures.tsx';
import { Inbox } from './Inbox.tsx';
import { Requests } from './Requests.tsx';
import './sandbox-page.css';
import { Scenarios } from './Scenarios.tsx';
import { Simulator } from './Simulator.tsx';
import { Snapshots } from './Snapshots.tsx';

const LABEL = 'Tool';
const SHOWN: Readonly<Record<Tool, () => React.ReactNode>> = {
  simulator: () => <Simulator />,
  scenarios: () => <Scenarios />,
  inbox: () => <Inbox />,
  requests: () => <Requests />,
  snapshots: () => <Snapshots />,
  failures: () => <Failures />,
};

export default function Sandbox() {
  const [location, navigate] = useLocation();
  const named = location.split('/')[2];
  const tool = TOOLS.find(({ id }) => id === named)?.id ?? 'simulator';
  return (
    <>
      <PageHead title="Sandbox">
        <Tabs label={LABEL} tabs={TOOLS} selected={tool} onSelect={(id) => navigate(`/sandbox/${id}`)} />
      </PageHead>
      <TabPanel label={LABEL} selected={tool}>
        {SHOWN[tool]()}
      </TabPanel>
    </>
  );
}
