/** Where every device is: the nth of each column belong together. */
interface Columns {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly latitudes: ArrayLike<number>;
  readonly longitudes: ArrayLike<number>;
  readonly radii: ArrayLike<number>;
  readonly times: ArrayLike<number>;
  /** Which of STATES the line is in. */
  readonly states: ArrayLike<number>;
}

/** As the service numbers them. */
export const STATES = ['pre-active', 'active', 'suspend'] as const;

export interface Fleet extends Columns {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly radii: Float64Array;
  readonly times: Float64Array;
  readonly states: Uint8Array;
  /** Which of them a device is. */
  readonly places: ReadonlyMap<string, number>;
  /** Seconds since 1970 of the newest one. */
  readonly newest: number;
}

/** All parts together; of a device that is in several the last one counts. */
export function toFleet(parts: readonly Columns[]): Fleet {
  const placeOf = new Map<string, number>();
  for (const { ids } of parts) for (const id of ids) if (!placeOf.has(id)) placeOf.set(id, placeOf.size);
  const column = () => new Float64Array(placeOf.size);
  const names = new Array<string>(placeOf.size);
  const [latitudes, longitudes, radii, times] = [column(), column(), column(), column()];
  const states = new Uint8Array(placeOf.size);
  let newest = 0;
  for (const part of parts)
    part.ids.forEach((id, n) => {
      const at = placeOf.get(id)!;
      names[at] = part.names[n]!;
      latitudes[at] = part.latitudes[n]!;
      longitudes[at] = part.longitudes[n]!;
      radii[at] = part.radii[n]!;
      times[at] = part.times[n]!;
      states[at] = part.states[n]!;
      newest = Math.max(newest, times[at]);
    });
  const ids = [...placeOf.keys()];
  return { ids, names, latitudes, longitudes, radii, times, states, places: placeOf, newest };
}

/** Most news is of devices that are known: then only what has changed is written anew. */
export function withNews(fleet: Fleet, news: Fleet): Fleet {
  const places = news.ids.map((id) => fleet.places.get(id));
  // The newest ones are told again each time, because others of the same second may have followed.
  const isKnown = (at: number | undefined, n: number) =>
    at !== undefined &&
    fleet.times[at] === news.times[n] &&
    fleet.latitudes[at] === news.latitudes[n] &&
    fleet.longitudes[at] === news.longitudes[n] &&
    fleet.states[at] === news.states[n];
  if (places.every(isKnown)) return fleet;
  if (places.includes(undefined)) return toFleet([fleet, news]);
  const [latitudes, longitudes] = [fleet.latitudes.slice(), fleet.longitudes.slice()];
  const [radii, times, states] = [fleet.radii.slice(), fleet.times.slice(), fleet.states.slice()];
  places.forEach((at, n) => {
    if (at === undefined) return;
    latitudes[at] = news.latitudes[n]!;
    longitudes[at] = news.longitudes[n]!;
    radii[at] = news.radii[n]!;
    times[at] = news.times[n]!;
    states[at] = news.states[n]!;
  });
  return {
    ...fleet,
    latitudes,
    longitudes,
    radii,
    times,
    states,
    newest: Math.max(fleet.newest, news.newest),
  };
}

/** The time of a fix as other times are written. */
export const timeOf = ({ times }: Fleet, nth: number): string => new Date(times[nth]! * 1_000).toISOString();
