import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Group, Plan } from '../../api/plans.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { DeleteGroupDialog, DeletePlanDialog } from './DeleteDialog.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { GroupTable } from './GroupTable.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { PlanTable } from './PlanTable.tsx';

const LABEL = 'What';
const TABS = [
  { id: 'catalogue', label: 'Plans' },
  { id: 'groups', label: 'Rate plan groups' },
] as const;

/** The plans for lines, and the share plans that form a pool. */
export default function Plans() {
  const { '*': named } = useParams<{ '*'?: string }>();
  const [, navigate] = useLocation();
  const session = useSession();
  const mayEdit = mayAs(session, 'fleet');
  const mayDelete = mayAs(session, 'admin');
  const tab = named === 'groups' ? 'groups' : 'catalogue';
  const [plan, setPlan] = useState<Plan | 'new' | undefined>();
  const [group, setGroup] = useState<Group | 'new' | undefined>();
  const [leaving, setLeaving] = useState<{ plan: Plan } | { group: Group } | undefined>();
  const keep = () => setLeaving(undefined);
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
        <PlanDialog
          plan={plan === 'new' ? undefined : plan}
          onDelete={
            mayDelete && plan !== 'new'
              ? () => {
                  setPlan(undefined);
                  setLeaving({ plan });
                }
              : undefined
          }
          onClose={() => setPlan(undefined)}
        />
      )}
      {group !== undefined && (
        <GroupDialog
          group={group === 'new' ? undefined : group}
          onDelete={
            mayDelete && group !== 'new'
              ? () => {
                  setGroup(undefined);
                  setLeaving({ group });
                }
              : undefined
          }
          onClose={() => setGroup(undefined)}
        />
      )}
      {leaving !== undefined && 'plan' in leaving && <DeletePlanDialog plan={leaving.plan} onClose={keep} />}
      {leaving !== undefined && 'group' in leaving && (
        <DeleteGroupDialog group={leaving.group} onClose={keep} />
      )}
    </>
  );
}
