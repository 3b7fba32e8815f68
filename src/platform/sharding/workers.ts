import type { Db } from '../db/db.ts';
import { NOBODY } from '../db/reachable.ts';
import type { ServerState, Servers } from '../db/servers.ts';
import { findingWork, type Query, sql, upkeep } from '../db/sql.ts';
import type { Loop } from '../health/health.ts';
import type { Log } from '../telemetry/log.ts';

const CHECK_MS = 1_000;

interface Watched {
  readonly db: Db;
  readonly loop: Loop;
  readonly log: Log;
}

interface Worker {
  readonly group: number;
  readonly host: string;
  readonly port: number;
  /** The ids of its shards, which change when customers are moved. */
  readonly shards: string | null;
}
type Watching = Worker & ServerState;

const listWorkers = (db: Db) =>
  db.many<Worker>(
    upkeep(sql`
      select n.groupid as "group", n.nodename as host, n.nodeport as port,
        (select string_agg(p.shardid::text, ',' order by p.shardid) from pg_dist_placement p
          join pg_dist_shard s on s.shardid = p.shardid
          where p.groupid = n.groupid and s.logicalrelid = 'profile'::regclass) as shards
      from pg_dist_node n
      where n.groupid > 0 and n.noderole = 'primary' and n.isactive and n.shouldhaveshards order by n.nodeid`),
  );

const PROFILES = sql`
  select distinct ecpd_id from account_directory union select unnest(${NOBODY}::text[])`;
const groupsOf = (profiles: Query) => sql`
  select p.ecpd_id as "ecpdId", s.groupid as "group" from (${profiles}) p (ecpd_id)
  join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column('profile', p.ecpd_id)`;

const findGroups = (db: Db, profiles: readonly string[]) =>
  db.many<{ ecpdId: string; group: number }>(upkeep(groupsOf(sql`select unnest(${profiles}::text[])`)));

const listProfilesOutside = (db: Db, lost: readonly number[]): Promise<string[]> =>
  db.values<string>(
    upkeep(sql`select "ecpdId" from (${groupsOf(PROFILES)}) known where "group" <> all(${lost}::int[])`),
  );

/** A profile on each worker: rows without a customer if possible, because these always exist. */
const listProbes = (db: Db) =>
  db.many<{ group: number; ecpdId: string }>(
    upkeep(
      sql`select distinct on ("group") "group", "ecpdId" from (${groupsOf(PROFILES)}) known order by 1, 2`,
    ),
  );

/**
 * Reads one row on the worker, or only connects if it has no profile. The upkeep connections give up on a statement after
 * seconds: a worker that hangs, or is that slow, counts as one that does not answer.
 */
const doesAnswer = async (db: Db, { host, port }: Worker, probe: string | undefined): Promise<boolean> =>
  (
    await db
      .one<{ answers: boolean }>(
        upkeep(
          probe === undefined
            ? findingWork(sql`select citus_check_connection_to_node(${host}, ${port}) as answers`)
            : sql`select count(*) >= 0 as answers from profile where ecpd_id = ${probe}`,
        ),
      )
      .catch(() => ({ answers: false }))
  ).answers;

/** Which worker has a profile: queried once for each profile, and discarded when any customer is moved. */
class Places {
  static readonly #MAX = 100_000;
  static readonly #ASKED_MAX = 10_000;
  readonly #known = new Map<string, string>();
  readonly #asked = new Set<string>();
  #shards = '';

  find(ecpdId: string): string | undefined {
    const found = this.#known.get(ecpdId);
    if (found === undefined && this.#asked.size < Places.#ASKED_MAX) this.#asked.add(ecpdId);
    return found;
  }

  /** Returns whether nothing has changed. */
  async refresh(db: Db, workers: readonly Watching[]): Promise<boolean> {
    const shards = workers.map(({ name, shards }) => `${name} ${shards}`).join();
    const isSame = shards === this.#shards;
    this.#shards = shards;
    if (!isSame || this.#known.size > Places.#MAX) this.#known.clear();
    const asked = [...this.#asked];
    this.#asked.clear();
    const nameOf = new Map(workers.map(({ group, name }) => [group, name]));
    if (asked.length > 0)
      for (const { ecpdId, group } of await findGroups(db, asked)) {
        const name = nameOf.get(group);
        if (name !== undefined) this.#known.set(ecpdId, name);
      }
    return isSame;
  }
}

/** Checks once a second whether every worker answers. Without a distributed database there are none. */
export class WorkerWatch {
  readonly #places = new Places();
  readonly #lostListeners: ((server: string) => void)[] = [];
  #probes: ReadonlyMap<number, string> = new Map();
  #states: readonly Watching[] = [];
  #reachable: ReadonlySet<string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #stopped = false;

  readonly servers: Servers = {
    list: () => this.#states.map(({ name, answers, since }) => ({ name, answers, since })),
    reachable: () => this.#reachable && [...this.#reachable],
    isReachable: (ecpdId) => this.#reachable?.has(ecpdId) ?? true,
    serverOf: (ecpdId) => this.#places.find(ecpdId),
    onLost: (listener) => void this.#lostListeners.push(listener),
  };

  async start(watched: Watched): Promise<void> {
    watched.loop.begin();
    await this.#pass(watched);
  }

  stop = async (): Promise<void> => {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
  };

  async #pass(watched: Watched): Promise<void> {
    this.#checking = this.#check(watched).then(watched.loop.passed, watched.loop.failed);
    await this.#checking;
    if (!this.#stopped) this.#timer = setTimeout(() => this.#pass(watched), CHECK_MS);
  }

  async #check({ db, log }: Watched): Promise<void> {
    const workers = await listWorkers(db);
    const states = await Promise.all(
      workers.map(async (worker): Promise<Watching> => {
        const name = `${worker.host}:${worker.port}`;
        const before = this.#states.find((each) => each.name === name);
        const answers = await doesAnswer(db, worker, this.#probes.get(worker.group));
        const since = before?.answers === answers ? before.since : new Date();
        return { ...worker, name, answers, since };
      }),
    );
    const lost = states.filter(({ answers }) => !answers);
    const groups = lost.map(({ group }) => group);
    this.#reachable = lost.length === 0 ? undefined : new Set(await listProfilesOutside(db, groups));
    this.#report(states, log);
    this.#states = states;
    const isSame = await this.#places.refresh(db, states);
    if (!isSame) this.#probes = new Map((await listProbes(db)).map(({ group, ecpdId }) => [group, ecpdId]));
  }

  #report(states: readonly Watching[], log: Log): void {
    for (const { name, answers } of states) {
      const before = this.#states.find((each) => each.name === name)?.answers ?? true;
      if (before && !answers) {
        log.error({ worker: name }, 'a worker of the database does not answer');
        for (const listener of this.#lostListeners) listener(name);
      }
      if (!before && answers) log.info({ worker: name }, 'a worker of the database answers again');
    }
  }
}
