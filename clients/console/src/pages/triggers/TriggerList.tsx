import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { TriggerKind } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { PricePlanDialog } from './form/PricePlanDialog.tsx';
import { PricePlanTable } from './PricePlanTable.tsx';
import { UsageDialog } from './UsageDialog.tsx';
import { UsageTable } from './UsageTable.tsx';

const TABS = [
  { id: 'price-plan', label: 'Price plans' },
  { id: 'usage', label: 'Service usage' },
] as const;

export function TriggerList({ kind }: { readonly kind: TriggerKind }) {
  const accountName = useAccount();
  const session = useSession();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState(false);
  const base = `/accounts/${accountName}/triggers`;
  const close = () => setCreating(false);
  const onSaved = (triggerId: string) => navigate(`${base}/${kind}/${triggerId}`);
  return (
    <>
      <PageHead title="Triggers" note={<Link href={`${base}/firings`}>All firings</Link>}>
        <Tabs
          label="Kind of trigger"
          tabs={TABS}
          selected={kind}
          onSelect={(id) => navigate(id === 'usage' ? `${base}/usage` : base)}
        />
        {mayChange(session, 'fleet') && (
          <Button kind="main" onClick={() => setCreating(true)}>
            New trigger
          </Button>
        )}
      </PageHead>
      <TabPanel label="Kind of trigger" selected={kind}>
        <div className="card">{kind === 'usage' ? <UsageTable /> : <PricePlanTable />}</div>
      </TabPanel>
      {creating && kind === 'price-plan' && <PricePlanDialog onClose={close} onSaved={onSaved} />}
      {creating && kind === 'usage' && <UsageDialog onClose={close} onSaved={onSaved} />}
    </>
  );
}
