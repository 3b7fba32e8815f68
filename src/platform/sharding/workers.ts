import type { Db, Reachable } from '../db/db.ts';
import { NOBODY } from '../db/reachable.ts';
import { sql, upkeep } from '../db/sql.ts';
import type { Loop } from '../health/health.ts';
import type { Log } from '../telemetry/log.ts';

const CHECK_MS = 1_000;

interface WorkerState {
  /** Host and port, as the coordinator knows them. */
  readonly name: string;
  readonly answers: boolean;
  /** When it began or ceased to. */
  readonly since: Date;
}

interface Watched {
  readonly db: Db;
  readonly loop: Loop;
  readonly log: Log;
}

interface Worker {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

const listWorkers = (db: Db) =>
  db.many<Worker>(
    upkeep(sql`
      select groupid as "group", nodename as host, nodeport as port from pg_dist_node
      where groupid > 0 and noderole = 'primary' and isactive and shouldhaveshards order by nodeid`),
  );

/** The upkeep connection gives up on a statement in seconds: a worker that hangs is one that does not answer. */
const doesAnswer = async (db: Db, { host, port }: Worker): Promise<boolean> =>
  (
    await db
      .one<{ answers: boolean }>(
        upkeep(sql`select citus_check_connection_to_node(${host}, ${port}) as answers`),
      )
      .catch(() => ({ answers: false }))
  ).answers;

const listProfilesOutside = async (db: Db, lost: readonly number[]): Promise<string[]> =>
  (
    await db.many<{ ecpdId: string }>(
      upkeep(sql`
        select p.ecpd_id as "ecpdId" from (select distinct ecpd_id from account_directory union select unnest(${NOBODY}::text[])) p
        join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column('account', p.ecpd_id)
        where s.groupid <> all(${lost}::int[])`),
    )
  ).map(({ ecpdId }) => ecpdId);

/** Asks every worker once a second whether it answers. Of a database that is one server it knows nothing. */
export class WorkerWatch {
  #states: readonly (Worker & WorkerState)[] = [];
  #reachable: ReadonlySet<string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #stopped = false;

  list = (): readonly WorkerState[] =>
    this.#states.map(({ name, answers, since }) => ({ name, answers, since }));
  readonly reachable: Reachable = {
    list: () => this.#reachable && [...this.#reachable],
    has: (ecpdId) => this.#reachable?.has(ecpdId) ?? true,
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
    const states: (Worker & WorkerState)[] = [];
    for (const worker of await listWorkers(db)) {
      const name = `${worker.host}:${worker.port}`;
      const before = this.#states.find((each) => each.name === name);
      const answers = await doesAnswer(db, worker);
      const isNews = (before?.answers ?? true) !== answers;
      if (isNews && !answers) log.error({ worker: name }, 'a worker of the database does not answer');
      else if (isNews) log.info({ worker: name }, 'a worker of the database answers again');
      states.push({
        ...worker,
        name,
        answers,
        since: before === undefined || isNews ? new Date() : before.since,
      });
    }
    const lost = states.filter(({ answers }) => !answers).map(({ group }) => group);
    this.#reachable = lost.length === 0 ? undefined : new Set(await listProfilesOutside(db, lost));
    this.#states = states;
  }
}
