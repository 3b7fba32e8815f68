import { Link } from 'wouter';
import { useAccount } from '../../app/account.tsx';
import { type Fleet, STATES, timeOf } from '../../map/fleet.ts';
import type { ReadyMap } from '../../map/use-map.ts';
import { StateBadge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber } from '../../text/format.ts';
import { TrackPlayer } from './TrackPlayer.tsx';

interface DeviceCardProps {
  readonly fleet: Fleet;
  readonly nth: number;
  readonly ready: ReadyMap | undefined;
  readonly isFollowed: boolean;
  readonly onFollow: () => void;
  readonly onClose: () => void;
}

/** The details and the track of the device selected on the map. */
export function DeviceCard({ fleet, nth, ready, isFollowed, onFollow, onClose }: DeviceCardProps) {
  const accountName = useAccount();
  const deviceId = fleet.ids[nth]!;
  return (
    <section className="card map-card" aria-label="Selected device">
      <div className="row">
        <strong>{fleet.names[nth]}</strong>
        <StateBadge state={STATES[fleet.states[nth]!] ?? ''} />
        <Button kind="plain" className="map-close" aria-label="Close" onClick={onClose}>
          ×
        </Button>
      </div>
      <p className="small">
        Located <TimeAgo at={timeOf(fleet, nth)} />, within {formatNumber(fleet.radii[nth]!)} m
      </p>
      <div className="row">
        <Link className="button" href={`/accounts/${accountName}/devices/${deviceId}`}>
          Open device
        </Link>
        {ready !== undefined && (
          <Button aria-pressed={isFollowed} onClick={onFollow}>
            {isFollowed ? 'Stop following' : 'Follow'}
          </Button>
        )}
      </div>
      {ready !== undefined && <TrackPlayer key={deviceId} deviceId={deviceId} ready={ready} />}
    </section>
  );
}
