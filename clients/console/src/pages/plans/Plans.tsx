import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Group, Plan } from '../../api/plans.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { GroupTable } from './GroupTable.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { PlanTable } from './PlanTable.tsx';

const LABEL = 'What';
const TABS = [
  { id: 'catalogue', label: 'Plans' },
  { id: 'groups', label: 'Rate plan groups' },
] as const;

/** What lines can be on, and which share plans are one pool. */
export default function Plans() {
  const { '*': named } = useParams<{ '*'?: string }>();
  const [, navigate] = useLocation();
  const mayEdit = mayAs(useSession(), 'fleet');
  const tab = named === 'groups' ? 'groups' : 'catalogue';
  const [plan, setPlan] = useState<Plan | 'new' | undefined>();
  const [group, setGroup] = useState<Group | 'new' | undefined>();
  return (
    <>
      <PageHead title="Plans">
        <Tabs label={LABEL} tabs={TABS} selected={tab} onSelect={(id) => navigate(`/plans/${id}`)} />
        {mayEdit && (
          <Button kind="main" onClick={() => (tab === 'groups' ? setGroup('new') : setPlan('new'))}>
            {tab === 'groups' ? 'New group' : 'New plan'}
          </Button>
        )}
      </PageHead>
      <TabPanel label={LABEL} selected={tab}>
        <div className="card">
          {tab === 'groups' ? (
            <GroupTable onEdit={mayEdit ? setGroup : undefined} />
          ) : (
            <PlanTable onEdit={mayEdit ? setPlan : undefined} />
          )}
        </div>
      </TabPanel>
      {plan !== undefined && (
        <PlanDialog plan={plan === 'new' ? undefined : plan} onClose={() => setPlan(undefined)} />
      )}
      {group !== undefined && (
        <GroupDialog group={group === 'new' ? undefined : group} onClose={() => setGroup(undefined)} />
      )}
    </>
  );
}
