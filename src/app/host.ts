import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFaultRules } from '../features/injected-faults/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { type Core, GRACE_MS, type Ground, type PreparedCore, prepareCore } from './core.ts';
import type { Exchange, Opened } from './exchange.ts';
import { hostScenarios } from './scenarios.ts';
import { Shutdown } from './shutdown.ts';
import type { RunningSimulator } from './simulator.ts';
import { openSnapshots } from './snapshots.ts';

/** Retries before giving up, because a database may recover, and nothing is served without a core. */
const [OPEN_TRIES, OPEN_AGAIN_MS] = [20, 500];

interface Prepared {
  readonly core: PreparedCore;
  readonly shutdown: Shutdown;
}

/** Holds the core and replaces it, like a restart that keeps the port open. */
export class Host {
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #ground: Ground;
  #shutdown: Shutdown;
  #core: Core | undefined;
  #first: PreparedCore | undefined;
  /**
   * The next core, composed in advance because one exchange often follows another. Its database is not open,
   * so it has no state.
   */
  #next: Promise<Prepared | undefined> | undefined;
  #url = '';

  constructor(settings: Settings, log: Log, ground: Ground) {
    const { databaseUrl, alone } = ground;
    const { dataDir, sandbox, role } = settings;
    const exchange = (wanted: Exchange) => this.#exchange(wanted);
    this.#settings = settings;
    this.#log = log;
    this.#ground = {
      ...ground,
      faultRules: createFaultRules(),
      scenarios: sandbox && role === 'all' ? hostScenarios(log) : undefined,
      snapshots: alone ? openSnapshots({ databaseUrl, dataDir, log, exchange }) : undefined,
    };
    this.#shutdown = new Shutdown(log);
  }

  /** Composes the first core. An embedded database may still be starting. */
  async prepare(): Promise<void> {
    this.#first = await prepareCore(this.#settings, this.#log, this.#shutdown, this.#ground);
    await this.#first.compose();
  }

  /** Call it after `prepare`, when the database has the tables of this version. */
  async start(): Promise<{ readonly url: string; readonly core: Core }> {
    const { host, port, basePath } = this.#settings;
    const { front, stopping, snapshots, scenarios } = this.#ground;
    const core = await this.#first!.open({ settings: this.#settings });
    this.#core = core;
    this.#url = `${await front.listen(host, port)}${basePath}`;
    stopping.throwIfAborted();
    front.serve(core.answers);
    await core.begin(this.#url);
    scenarios?.begin(this.#url);
    // A temporary database has just been made.
    if (!this.#settings.temporary)
      snapshots
        ?.tidy()
        .catch((error: unknown) => this.#log.warn({ err: error }, 'left-overs were not dropped'));
    return { url: this.#url, core };
  }

  async #prepare(): Promise<Prepared> {
    const shutdown = new Shutdown(this.#log);
    try {
      return { core: await prepareCore(this.#settings, this.#log, shutdown, this.#ground), shutdown };
    } catch (error) {
      await shutdown.run();
      throw error;
    }
  }

  /** Composes the next core in advance, because that takes most of the time of an exchange. */
  async #prepareAhead(): Promise<Prepared | undefined> {
    let prepared: Prepared | undefined;
    try {
      prepared = await this.#prepare();
      await prepared.core.compose();
      return prepared;
    } catch (error) {
      if (!this.#ground.stopping.aborted) this.#log.warn({ err: error }, 'no core was made ahead');
      await prepared?.shutdown.run();
      return undefined;
    }
  }

  /** Waits until the answer to this exchange is sent. */
  #prepareAfter(asking: ServerResponse): void {
    const prepare = () => {
      if (!this.#ground.stopping.aborted) this.#next ??= this.#prepareAhead();
    };
    if (asking.closed) prepare();
    else asking.once('close', prepare);
  }

  async #takePrepared(): Promise<Prepared> {
    const next = this.#next;
    this.#next = undefined;
    return (await next) ?? this.#prepare();
  }

  /** Runs exchanges one at a time. */
  async #exchange({ asking, reopened, beside, change, opened }: Exchange): Promise<void> {
    const old = this.#core!;
    const simulator = old.simulator();
    const [ahead] = await Promise.allSettled([beside?.(), this.#end(asking)]);
    const at = old.ctx.now();
    const [changed] = await Promise.allSettled([ahead.status === 'fulfilled' ? change(at) : undefined]);
    const failed = [ahead, changed].find((outcome) => outcome.status === 'rejected');
    const core = await this.#reopen(failed === undefined ? opened : {}, simulator);
    reopened(core.ctx);
    this.#ground.front.serve(core.answers);
    this.#prepareAfter(asking);
    if (failed !== undefined) throw failed.reason;
  }

  /** Holds new requests, and waits for the running ones. */
  async #end(asking: ServerResponse): Promise<void> {
    const { front } = this.#ground;
    front.hold();
    this.#shutdown.addWorker('requests', () => front.drain(asking, GRACE_MS));
    await this.#shutdown.run();
  }

  async #reopen({ fresh = false, at }: Opened, simulator: RunningSimulator | undefined): Promise<Core> {
    // Only the first core starts at a requested time.
    const settings = {
      ...this.#settings,
      now: undefined,
      freeze: false,
      ...(!fresh && { demo: false, fleet: undefined }),
    };
    for (let tries = 1; ; tries++) {
      try {
        const { core: prepared, shutdown } = await this.#takePrepared();
        this.#shutdown = shutdown;
        const core = await prepared.open({ settings, standsAt: at });
        this.#core = core;
        await core.begin(this.#url, fresh ? undefined : simulator);
        return core;
      } catch (error) {
        await this.#shutdown.run();
        if (this.#ground.stopping.aborted) throw error;
        if (tries >= OPEN_TRIES) return this.#giveUp(error);
        this.#log.error({ err: error }, 'the service could not be opened again; trying once more');
        await sleep(OPEN_AGAIN_MS);
      }
    }
  }

  /** Nothing is served any more, so the process ends and its supervisor restarts it. */
  #giveUp(error: unknown): never {
    this.#log.fatal({ err: error }, 'the service could not be opened again, and stops');
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
    throw error;
  }

  async stop(): Promise<void> {
    await this.#ground.scenarios?.close();
    this.#shutdown.addWorker('requests', () => this.#ground.front.close(GRACE_MS));
    await this.#shutdown.run();
    await (await this.#next)?.shutdown.run();
  }
}
