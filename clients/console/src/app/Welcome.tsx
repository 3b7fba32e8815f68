import { useQueryClient } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { Button } from '../parts/Button.tsx';
import { Card } from '../parts/Card.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { useSession } from './session.tsx';

const FLEET = JSON.stringify(
  {
    profiles: [{ ecpdId: '9000001' }],
    accounts: [
      { accountName: '0000123456-00001', ecpdId: '9000001', locationRegistered: true, currency: 'USD' },
    ],
    plans: [{ code: 'IOT-5MB', name: '5 MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880, ratePerMb: 0.5 }],
    users: [{ username: 'first-user', password: 'change-this-password', accounts: ['0000123456-00001'] }],
    devices: [
      { accountName: '0000123456-00001', imei: '990000000000011', state: 'active', servicePlan: 'IOT-5MB' },
    ],
  },
  null,
  2,
);
const COMMAND = 'npx linekeeper import fleet.json';

/** Shown instead of an account page when no account exists. */
export function Welcome() {
  const { homeAccount } = useSession();
  const queries = useQueryClient();
  if (homeAccount !== null) return <Redirect to={`/accounts/${homeAccount}/overview`} replace />;
  return (
    <>
      <PageHead title="No accounts yet" />
      <Card title="Import a fleet to begin">
        <div className="stack">
          <p>Write a fleet document with your accounts, plans and devices, like this one:</p>
          <pre className="json">{FLEET}</pre>
          <div className="row">
            <CopyButton label="Copy the document" text={FLEET} />
          </div>
          <p>Save it as fleet.json, and import it from a shell on the machine of the service:</p>
          <div className="row">
            <code>{COMMAND}</code>
            <CopyButton label="Copy the command" text={COMMAND} />
          </div>
          <div>
            <Button kind="main" onClick={() => void queries.invalidateQueries({ queryKey: ['session'] })}>
              I have imported it
            </Button>
          </div>
        </div>
      </Card>
    </>
  );
}
