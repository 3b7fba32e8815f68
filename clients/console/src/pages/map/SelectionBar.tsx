import { useState } from 'react';
import { useAccount } from '../../app/account.tsx';
import { selectDevices, useSelectedDevices } from '../../app/selection.ts';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { formatNumber } from '../../text/format.ts';
import { CreateReportDialog } from '../reports/CreateReportDialog.tsx';

/** What can be done with the devices that were selected on the map. */
export function SelectionBar() {
  const accountName = useAccount();
  const session = useSession();
  const selected = useSelectedDevices(accountName);
  const [asked, setAsked] = useState<'current' | 'known' | undefined>();
  if (selected.length === 0) return null;
  return (
    <div className="strip map-selection" role="status">
      <strong>
        {formatNumber(selected.length)} {selected.length === 1 ? 'device' : 'devices'} selected
      </strong>
      {mayChange(session, 'fleet') && (
        <>
          <Button onClick={() => setAsked('current')}>Locate now</Button>
          <Button onClick={() => setAsked('known')}>Report on these</Button>
        </>
      )}
      <Button onClick={() => selectDevices(accountName, [])}>Clear</Button>
      {asked !== undefined && (
        <CreateReportDialog deviceIds={selected} positions={asked} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}
