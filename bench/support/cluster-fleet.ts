import { LISTENER_SERVICES } from '../../src/features/callback-payloads/index.ts';
import { run } from './bench-postgres.ts';
import type { Listener } from './callback-scene.ts';

const ACCOUNTS_PER_PROFILE = 10;
const LISTENERS_PER_PROFILE = 5;
const PLAN = 'P-5MB';
/** The numbers of the n-th customer's devices begin at n times this. */
const DEVICES_MAX = 1_000_000;

/** A customer in both databases; in the cluster, all its rows are on one worker. */
export interface BenchProfile {
  readonly ecpdId: string;
  readonly nth: number;
}

const accountOf = ({ nth }: BenchProfile, device: number): string =>
  `00000${nth}0${String(device % ACCOUNTS_PER_PROFILE).padStart(3, '0')}-00001`;

export const imeiOf = ({ nth }: BenchProfile, device: number): string =>
  String(990_000_000_000_000 + nth * DEVICES_MAX + device);

/** `perWorker` profiles of each worker, alternating between workers. */
export async function chooseProfiles(clusterUrl: string, perWorker: number): Promise<BenchProfile[]> {
  const found = await run<{ ecpdId: string }>(
    clusterUrl,
    `select "ecpdId" from (
       select ecpd_id as "ecpdId", port, row_number() over (partition by port order by ecpd_id) as turn
       from (select (9000000 + n)::text as ecpd_id from generate_series(0, 99) n) candidate
       join (select shardid, nodeport as port from citus_shards where table_name = 'profile'::regclass) s
         on s.shardid = get_shard_id_for_distribution_column('profile', ecpd_id)) placed
     where turn <= ${perWorker} order by turn, port`,
  );
  return found.map(({ ecpdId }, nth) => ({ ecpdId, nth }));
}

/** Each profile with some accounts, this many devices, and listeners below `listenerUrl`. */
export function fleetOf(profiles: readonly BenchProfile[], devicesEach: number, listenerUrl: string) {
  const numbers = Array.from({ length: devicesEach }, (_, n) => n);
  const accounts = profiles.flatMap((profile) =>
    numbers
      .slice(0, ACCOUNTS_PER_PROFILE)
      .map((n) => ({ accountName: accountOf(profile, n), ecpdId: profile.ecpdId })),
  );
  return {
    profiles: profiles.map(({ ecpdId }) => ({ ecpdId })),
    accounts,
    plans: [{ code: PLAN, name: '5 MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880 }],
    listeners: profiles.flatMap((profile) =>
      listenersOf(profile, listenerUrl).map((listener) => ({ ...listener, username: 'u', password: 'p' })),
    ),
    devices: profiles.flatMap((profile) =>
      numbers.map((n) => ({
        accountName: accountOf(profile, n),
        imei: imeiOf(profile, n),
        mdn: String(5_000_000_000 + profile.nth * DEVICES_MAX + n),
        iccid: `8914800000${String(profile.nth * DEVICES_MAX + n).padStart(9, '0')}`,
        servicePlan: PLAN,
      })),
    ),
  };
}

export const listenersOf = (profile: BenchProfile, listenerUrl: string): Listener[] =>
  Array.from({ length: LISTENERS_PER_PROFILE }, (_, n) => ({
    accountName: accountOf(profile, 0),
    serviceName: LISTENER_SERVICES[n]!,
    url: `${listenerUrl}/${profile.nth}-${n}`,
  }));
