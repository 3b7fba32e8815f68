import type { ConsentInterval, DeviceDetail } from '../../api/devices.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { formatTime } from '../../text/format.ts';

function Allowed({ coarse, precise }: Pick<ConsentInterval, 'coarse' | 'precise'>) {
  if (precise) return <Badge tone="good">Precise</Badge>;
  return coarse ? <Badge tone="accent">Coarse only</Badge> : <Badge tone="warn">Location denied</Badge>;
}

/** Which location the consent allowed in the last month and why, newest first. */
const BASES: Readonly<Record<ConsentInterval['basis'], string>> = {
  'all-excluded': 'all devices of the account are excluded',
  'device-excluded': 'the device is excluded',
  'device-level': 'consent for the device',
  'account-level': 'consent for the account',
  none: 'no consent was given',
};

export function ConsentCard({ consents }: { readonly consents: DeviceDetail['consents'] | undefined }) {
  const inForce = consents?.hasMoreData === false ? consents.intervals.at(-1) : undefined;
  return (
    <Card title="Location consent" span={6} aside={<span className="small soft">last 30 days</span>}>
      <div style={{ minHeight: 160 }}>
        {consents === undefined && <Skeleton height={120} />}
        {consents?.intervals.length === 0 && <Empty title="Nothing on record" />}
        {inForce && (
          <p>
            Now: <Allowed {...inForce} /> <span className="small soft">{BASES[inForce.basis]}</span>
          </p>
        )}
        {consents !== undefined && consents.intervals.length > 0 && (
          <div className="table-scroll">
            <table className="plain-table">
              <thead>
                <tr>
                  <th>Allowed</th>
                  <th>From</th>
                </tr>
              </thead>
              <tbody>
                {consents.intervals.toReversed().map((interval) => (
                  <tr key={interval.from}>
                    <td>
                      <Allowed {...interval} />
                      <div className="small soft">
                        {BASES[interval.basis]}
                        {interval.actor !== null && `, set by ${interval.actor}`}
                      </div>
                    </td>
                    <td>{formatTime(interval.since ?? interval.from)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Card>
  );
}
