import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listLines } from '../../api/lines.ts';
import { useAccount } from '../../app/account.tsx';
import { selectDevices, useSelectedDevices } from '../../app/selection.ts';
import { mayChange, useSession } from '../../app/session.tsx';
import { LineActions } from '../../lines/LineActions.tsx';
import { Button } from '../../parts/Button.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';
import { CreateReportDialog } from '../reports/CreateReportDialog.tsx';

/** The lines of the selected devices. The map has their positions, but not their identifiers. */
function SelectedLines({ id, deviceIds }: { readonly id: number; readonly deviceIds: readonly string[] }) {
  const accountName = useAccount();
  const [isReportAsked, askForReport] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['map', accountName, 'lines', id],
    queryFn: ({ signal }) => listLines(accountName, deviceIds, signal),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const gone = deviceIds.length - (data?.length ?? deviceIds.length);
  return (
    <>
      {data === undefined && error === null && <span role="status">Loading their lines…</span>}
      {data === undefined && error !== null && (
        <>
          <ErrorText error={error} />
          <Button onClick={() => void refetch()}>Try again</Button>
        </>
      )}
      {gone > 0 && (
        <span>
          {formatNumber(gone)} of them {gone === 1 ? 'is no longer a line' : 'are no longer lines'} of this
          account.
        </span>
      )}
      {data !== undefined && <LineActions lines={data} onClosed={() => void refetch()} />}
      <Button onClick={() => askForReport(true)}>Report on these</Button>
      {isReportAsked && <CreateReportDialog deviceIds={deviceIds} onClose={() => askForReport(false)} />}
    </>
  );
}

/** The actions for devices selected on the map. */
export function SelectionBar() {
  const accountName = useAccount();
  const session = useSession();
  const { id, deviceIds } = useSelectedDevices(accountName);
  if (deviceIds.length === 0 || !mayChange(session, 'fleet')) return null;
  return (
    <div className="strip map-selection">
      <strong role="status">
        {formatNumber(deviceIds.length)} {deviceIds.length === 1 ? 'device' : 'devices'} selected
      </strong>
      <SelectedLines key={id} {...{ id, deviceIds }} />
      <Button onClick={() => selectDevices(accountName, [])}>Clear</Button>
    </div>
  );
}
