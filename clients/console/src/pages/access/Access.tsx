import { useLocation, useParams } from 'wouter';
import { mayAs, useSession } from '../../app/session.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { Applications } from './Applications.tsx';
import { Keys } from './Keys.tsx';
import { Users } from './Users.tsx';

const LABEL = 'Who';
const TABS = [
  { id: 'users', label: 'Users' },
  { id: 'applications', label: 'Applications' },
  { id: 'keys', label: 'Operator keys' },
] as const;
const SHOWN = { users: Users, applications: Applications, keys: Keys } as const;

/** Users, applications and operator keys. The keys show only to viewers who may create them. */
export default function Access() {
  const { '*': named } = useParams<{ '*'?: string }>();
  const [, navigate] = useLocation();
  const isAdmin = mayAs(useSession(), 'admin');
  const tabs = TABS.filter(({ id }) => id !== 'keys' || isAdmin);
  const tab = tabs.find(({ id }) => id === named)?.id ?? 'users';
  const Shown = SHOWN[tab];
  return (
    <>
      <PageHead title="Access">
        <Tabs label={LABEL} tabs={tabs} selected={tab} onSelect={(id) => navigate(`/access/${id}`)} />
      </PageHead>
      <TabPanel label={LABEL} selected={tab}>
        <Shown />
      </TabPanel>
    </>
  );
}
