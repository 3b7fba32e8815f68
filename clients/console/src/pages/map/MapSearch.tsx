import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listDevices } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { findPlaces, type Place } from '../../map/places.ts';

const PAUSE_MS = 200;
const FOUND_MAX = 5;
const LETTERS_MIN = 2;

interface FoundDevice {
  readonly deviceId: string;
  readonly name: string;
}

interface Found {
  readonly devices: readonly FoundDevice[];
  readonly places: readonly Place[];
}

async function search(accountName: string, text: string, signal: AbortSignal): Promise<Found> {
  const [{ devices }, places] = await Promise.all([
    listDevices(accountName, { search: text }, signal),
    // Place names are part of the map file; without it, the search still finds devices.
    findPlaces(text, FOUND_MAX).catch(() => []),
  ]);
  const named = devices
    .slice(0, FOUND_MAX)
    .map(({ deviceId, name, ids }) => ({ deviceId, name: name ?? ids[0]?.id ?? deviceId }));
  return { devices: named, places };
}

/** Devices by name or identifier, and places by name. */
export function MapSearch({
  onDevice,
  onPlace,
}: {
  readonly onDevice: (device: FoundDevice) => void;
  readonly onPlace: (place: Place) => void;
}) {
  const accountName = useAccount();
  const [typed, setTyped] = useState('');
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isAsked = settled.length >= LETTERS_MIN;
  const { data, isFetching } = useQuery({
    queryKey: ['map', accountName, 'search', settled],
    queryFn: ({ signal }) => search(accountName, settled, signal),
    enabled: isAsked,
  });
  const pick = (take: () => void) => () => {
    setTyped('');
    setSettled('');
    take();
  };
  const isNothing = data !== undefined && data.devices.length + data.places.length === 0;
  return (
    <search className="popover map-search">
      <input
        className="input"
        type="search"
        aria-label="Find a device or a place"
        placeholder="Device or place"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') pick(() => {})();
        }}
      />
      {isAsked && typed !== '' && (
        <div className="popover-panel" aria-live="polite">
          {data?.devices.map((device) => (
            <button
              type="button"
              key={device.deviceId}
              className="option"
              onClick={pick(() => onDevice(device))}
            >
              {device.name}
              <span className="small soft">Device</span>
            </button>
          ))}
          {data?.places.map((place) => (
            <button
              type="button"
              key={`${place.name} ${place.at.join()}`}
              className="option"
              onClick={pick(() => onPlace(place))}
            >
              {place.name}
              <span className="small soft">{place.region}</span>
            </button>
          ))}
          {isNothing && <p className="small soft map-nothing">No device or place has this name.</p>}
          {data === undefined && isFetching && <p className="small soft map-nothing">Searching…</p>}
        </div>
      )}
    </search>
  );
}
