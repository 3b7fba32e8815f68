import { useState } from 'react';
import { refusalOf } from '../../api/client.ts';
import { mayAs, mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { CreateReportDialog } from '../reports/CreateReportDialog.tsx';

/** Explains why the map is empty, and what to do. */
export function MapTrouble({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (error === null) return null;
  if (refusalOf(error)?.title !== 'Unregistered account')
    return (
      <div className="card map-message">
        <Problem error={error} retry={retry} />
      </div>
    );
  return (
    <div className="card map-message">
      <Empty title="This account is not registered for device location">
        <p>
          The service neither requests nor shows positions of its devices. An operator can register it in the
          fleet document: locationRegistered of the account.
        </p>
      </Empty>
    </div>
  );
}

export function NothingLocated() {
  const session = useSession();
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="card map-message">
      <Empty title="No device of this account has been located yet">
        <p>
          A location report asks the network for the positions of devices.
          {mayAs(session, 'feed') && ' You can also send positions from other systems to the operator API.'}
        </p>
        {mayChange(session, 'fleet') && <Button onClick={() => setAsked(true)}>Locate devices</Button>}
      </Empty>
      {isAsked && <CreateReportDialog onClose={() => setAsked(false)} />}
    </div>
  );
}
