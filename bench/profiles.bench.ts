import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMALL_FLEET } from '../test/support/fleet.ts';
import { alone, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { OPERATOR_KEY } from './support/service.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { show } from './support/statistics.ts';

const ROUNDS = roundsOr(3);
const PROFILES = 1_000;
const DEVICES_EACH = 10;
/** The limit of feeds of one process. They use two keys, because one key may use only half of them. */
const CONNECTIONS = 16;
const SECONDS = Number(process.env['BENCH_PROFILES_SECONDS'] ?? 60);
/** Records in one write to the connection. */
const CHUNK = 500;

const imeiOf = (profile: number, n: number) => String(990_000_000_000_000 + profile * DEVICES_EACH + n);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Directly into the tables, because importing a thousand customers is not part of the measurement. */
async function fill({ client }: ServiceScene): Promise<void> {
  for (const statement of [
    `insert into profile (ecpd_id, foreign_id)
     select (8000000 + p)::text, gen_random_uuid() from generate_series(0, ${PROFILES - 1}) p`,
    `insert into account_directory (ecpd_id, account_name)
     select ecpd_id, '000' || ecpd_id || '-00001' from profile where ecpd_id like '8%'`,
    `insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
       location_registered, created_at)
     select ecpd_id, account_name, 'America/Chicago', 10, false, false, false, '2026-01-01Z' from account_directory
     where ecpd_id like '8%'`,
    `insert into device (ecpd_id, account_name, device_id, imei, kind, state, service_plan, plan_since, iot, activated_by_sku,
       ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id)
     select a.ecpd_id, a.account_name, gen_random_uuid(),
       (990000000000000 + (a.ecpd_id::int - 8000000) * ${DEVICES_EACH} + n)::text, 'device', 'active', 'P-5MB', '2025-01-01Z',
       true, false, true, '[]', '{}', '{}', gen_random_uuid(), '2025-01-01Z', '2025-01-01Z', 1, gen_random_uuid()
     from account a, generate_series(0, ${DEVICES_EACH - 1}) n where a.ecpd_id like '8%'`,
    `insert into device_identifier (ecpd_id, account_name, device_id, kind, value)
     select ecpd_id, account_name, device_id, 'imei', imei from device where ecpd_id like '8%'`,
    'vacuum analyze',
  ])
    await client.query(statement);
}

/** Endless records for every 16th profile in rotation. */
function* recordsOf(connection: number, run: string): Generator<string> {
  const own = numbers(PROFILES).filter((profile) => profile % CONNECTIONS === connection);
  const at = new Date(Date.now() - 60_000).toISOString();
  for (let n = 0; ; n += CHUNK)
    yield numbers(CHUNK)
      .map((i) => {
        const nth = n + i;
        const [profile, turn] = [own[nth % own.length]!, Math.floor(nth / own.length)];
        const device = imeiOf(profile, turn % DEVICES_EACH);
        return `{"id":"${run}-${turn}","kind":"imei","device":"${device}","at":"${at}","bytes":1000}\n`;
      })
      .join('');
}

interface Feed {
  /** The reason for an early response. */
  refusal(): string | undefined;
  stop(): void;
}

/** Runs one feed until it is stopped. */
function startFeed(url: string, key: string, records: Iterable<string>): Feed {
  let isOver = false;
  let refusal: string | undefined;
  const call = request(`${url}/operator/v1/usage`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
  });
  call.on('error', ({ message }) => {
    if (!isOver) refusal ??= message;
  });
  call.on('response', (answer) => {
    void text(answer).then((body) => {
      if (!isOver) refusal ??= body;
    });
  });
  const source = Readable.from(records);
  source.pipe(call);
  return {
    refusal: () => refusal,
    stop() {
      isOver = true;
      source.destroy();
      call.destroy();
    },
  };
}

interface Round {
  readonly ratio: number;
  readonly rate: number;
}

/** Waits until no process writes usage. */
async function untilFeedsEnd({ client }: ServiceScene): Promise<void> {
  const count = async () => (await client.query('select count(*)::int as n from usage_record')).rows[0].n;
  for (let before = -1, now = await count(); before !== now; [before, now] = [now, await count()])
    await sleep(5_000);
}

/** Counts the records stored for each profile when the time is over. */
async function measure({ url, client }: ServiceScene, keys: readonly string[], run: string): Promise<Round> {
  await client.query('checkpoint');
  const feeds = numbers(CONNECTIONS).map((connection) =>
    startFeed(url, keys[connection % keys.length]!, recordsOf(connection, run)),
  );
  await sleep(SECONDS * 1_000);
  // Counts by ids, because an aborted earlier feed may still write its last batch.
  const { rows } = await client.query<{ served: number }>(
    `select count(r.ecpd_id)::float8 as served from profile
     left join usage_record_id r on r.ecpd_id = profile.ecpd_id and r.record_id like '${run}-%'
     where profile.ecpd_id like '8%' group by profile.ecpd_id`,
  );
  for (const feed of feeds) feed.stop();
  const refused = feeds.flatMap((feed) => feed.refusal() ?? []);
  if (refused.length > 0) throw new Error(`${refused.length} feeds were refused: ${refused[0]}`);
  const served = rows.map((row) => row.served);
  const [least, most] = [Math.min(...served), Math.max(...served)];
  const rate = served.reduce((sum, one) => sum + one, 0) / SECONDS;
  console.error(`  ${show(rate)} records/s, ${least} to ${most} of a profile`);
  return { ratio: most / least, rate };
}

/** Measures fairness among a thousand customers who feed at full speed over all connections. */
export async function profiles(): Promise<Finding[]> {
  const scene = await openServiceScene('profiles', { ...SMALL_FLEET, devices: [] });
  try {
    await fill(scene);
    const { body } = await scene.operate('/keys', JSON.stringify({ name: 'other', scopes: ['feed'] }));
    const keys = [OPERATOR_KEY, String(body['key'])];
    const rounds: Round[] = [];
    // Round 0 warms up. An aborted feed frees its slot after its last batch.
    for (let round = 0; round <= ROUNDS; round++) {
      await untilFeedsEnd(scene);
      const measured = await measure(scene, keys, `r${round}`);
      if (round > 0) rounds.push(measured);
    }
    const what = `of ${show(PROFILES)} profiles that feed usage over ${CONNECTIONS} connections`;
    return [
      alone(
        `Records of the most served ${what} for each of the least served, in ${SECONDS} s`,
        rounds.map(({ ratio }) => ratio),
        { atMost: 2 },
      ),
      alone(
        `Records per second of all ${what}`,
        rounds.map(({ rate }) => rate),
      ),
    ];
  } finally {
    await scene.close();
  }
}
