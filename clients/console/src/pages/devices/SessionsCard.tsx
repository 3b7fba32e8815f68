import type { DataSession } from '../../api/devices.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatBytes } from '../../text/format.ts';

function Where({ session }: { readonly session: DataSession }) {
  const { apn, rat, visitedNetwork, countryCode, nas } = session;
  const network = [visitedNetwork, countryCode].filter(Boolean).join(' ');
  return (
    <>
      {apn ?? 'No access point reported'}
      <div className="small soft">{[rat, network, nas].filter(Boolean).join(', ')}</div>
    </>
  );
}

function State({ session }: { readonly session: DataSession }) {
  const { state, startedAt, closedAt, closeCause } = session;
  const isOpen = state === 'open';
  const at = isOpen ? startedAt : closedAt;
  return (
    <>
      <Badge tone={isOpen ? 'good' : 'none'}>{isOpen ? 'Open' : 'Closed'}</Badge>{' '}
      <span className="small soft">
        {at !== null && <TimeAgo at={at} />}
        {!isOpen && closeCause !== null && `, ${closeCause}`}
      </span>
    </>
  );
}

/** The data sessions that the network reports for a line. Without reports, this renders nothing. */
export function SessionsCard({ sessions }: { readonly sessions: readonly DataSession[] | undefined }) {
  if (sessions === undefined || sessions.length === 0) return null;
  const [latest] = sessions;
  return (
    <Card title="Data sessions" aside={<span className="small soft">open ones first</span>}>
      {latest?.otherDevice === true && (
        <p>
          <Badge tone="warn">Another device</Badge>{' '}
          <span className="small soft">The line is in a device with IMEISV {latest.imeisv}.</span>
        </p>
      )}
      <div className="table-scroll">
        <table className="plain-table" aria-label="Data sessions">
          <thead>
            <tr>
              <th>State</th>
              <th>Access point</th>
              <th>Address</th>
              <th>From the device</th>
              <th>To the device</th>
              <th>Last report</th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <tr key={`${session.nas} ${session.sessionId} ${session.startedAt}`}>
                <td>
                  <State session={session} />
                </td>
                <td>
                  <Where session={session} />
                </td>
                <td className="mono">{session.ipAddress}</td>
                <td>{formatBytes(session.inputBytes)}</td>
                <td>{formatBytes(session.outputBytes)}</td>
                <td>
                  <TimeAgo at={session.lastReportAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
