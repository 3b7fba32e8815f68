import { useState } from 'react';
import { SERVICES, type Service } from '../../api/managed.ts';
import { PageHead } from '../../parts/PageHead.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { ManagedCard } from './ManagedCard.tsx';
import { OwnCard } from './OwnCard.tsx';
import { StatementCard } from './StatementCard.tsx';

const NAMES: Readonly<Record<Service, string>> = { Location: 'Location', fota: 'Software management' };

/** The accounts billed with this account, and the account that this one is billed with. */
export default function Managed() {
  const [service, setService] = useState<Service>('Location');
  return (
    <>
      <PageHead title="Managed accounts">
        <Tabs
          label="Service"
          tabs={SERVICES.map((id) => ({ id, label: NAMES[id] }))}
          selected={service}
          onSelect={setService}
        />
      </PageHead>
      <TabPanel label="Service" selected={service}>
        <div className="grid">
          <OwnCard service={service} />
          <ManagedCard service={service} />
          <StatementCard service={service} />
        </div>
      </TabPanel>
    </>
  );
}
