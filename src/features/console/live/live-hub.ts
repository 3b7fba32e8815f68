import { PassThrough, type Readable } from 'node:stream';
import type { Ctx, Tenant, Viewer } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { type Loop, unreportedLoop } from '../../../platform/health/health.ts';
import { consoleFaults } from '../errors.ts';
import { callerOf } from '../session/viewed-accounts.ts';
import type { FindMark, Topic } from './marks.ts';

const POLL_MS = 2_000;
const BEATS_EVERY_POLLS = 7;
const CLIENTS_MAX = 200;
/** Reserved for operators, so that they can get in to help. */
const KEPT_FOR_OPERATORS = 20;
/** Leaves room for other customers, however many users one has. */
const CLIENTS_PER_PROFILE_MAX = 60;
const CLIENTS_PER_SESSION_MAX = 10;
/** Leaves room for others, however often one caller signs in. A few people may share an operator key. */
const CLIENTS_PER_CALLER_MAX = 30;
/** A browser that does not read is disconnected, so that its events take no memory. */
const UNREAD_MAX_BYTES = 64 * 1024;

interface Client {
  readonly ctx: Ctx;
  readonly tenant: Tenant;
  readonly sessionHash: string;
  readonly kind: Viewer['kind'];
  readonly caller: string;
  readonly stream: PassThrough;
}

interface LiveHubDeps {
  readonly marks: Readonly<Partial<Record<Topic, FindMark>>>;
  /** Checks with every heartbeat whether a session is still valid. */
  readonly findViewer: (ctx: Ctx, sessionHash: string) => Promise<Viewer | undefined>;
  /** Gets the result of each poll. Rests while there are no subscribers. */
  readonly loop?: Loop;
  /** Time between two polls, if not the default. */
  readonly pollMs?: number | undefined;
}

export interface LiveHub {
  /**
   * Server-sent events of one account, until the browser leaves or the session or the service ends. After `ready` no change is
   * missed. Data that was read before may be outdated.
   */
  open(ctx: Ctx, tenant: Tenant, viewer: Viewer): Readable;
  endSession(sessionHash: string): void;
  close(): void;
}

const keyOf = ({ tenant }: Pick<Client, 'tenant'>): string => tenant.accountName;
const isAllowed = (viewer: Viewer | undefined, { accountName }: Tenant): boolean =>
  viewer?.kind === 'operator' || viewer?.principal.accounts.has(accountName) === true;

function hasPlace(clients: ReadonlySet<Client>, { tenant, sessionHash, kind, caller }: Client): boolean {
  const count = (isAlike: (other: Client) => boolean) => [...clients].filter(isAlike).length;
  if (clients.size >= CLIENTS_MAX) return false;
  if (count((other) => other.caller === caller) >= CLIENTS_PER_CALLER_MAX) return false;
  if (count((other) => other.sessionHash === sessionHash) >= CLIENTS_PER_SESSION_MAX) return false;
  if (kind === 'operator') return true;
  const ofUsers = (other: Client) => other.kind === 'user';
  return (
    count(ofUsers) < CLIENTS_MAX - KEPT_FOR_OPERATORS &&
    count((other) => ofUsers(other) && other.tenant.ecpdId === tenant.ecpdId) < CLIENTS_PER_PROFILE_MAX
  );
}

/**
 * Sends browsers the topics that changed, so that they read what they show of them again. Polls the watched accounts one after
 * the other, once for all watchers of an account, so the cost is bounded and depends on what is watched.
 */
export function createLiveHub({
  marks,
  findViewer,
  loop = unreportedLoop,
  pollMs = POLL_MS,
}: LiveHubDeps): LiveHub {
  const clients = new Set<Client>();
  /** Clients whose marks were not read yet. They miss changes until then. */
  const arriving = new Set<Client>();
  const known = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let polls = 0;

  const forget = (client: Client) => {
    clients.delete(client);
    arriving.delete(client);
  };
  const drop = (client: Client) => {
    forget(client);
    client.stream.end();
  };
  const send = (client: Client, event: string, about: object) => {
    client.stream.write(`event: ${event}\ndata: ${JSON.stringify(about)}\n\n`);
    if (client.stream.writableLength > UNREAD_MAX_BYTES) drop(client);
  };

  const pollAccount = async ({ ctx, tenant }: Client) => {
    // Computed again each time: a client that arrives while a mark is read must get its change too.
    const subscribers = () => [...clients].filter((client) => keyOf(client) === keyOf({ tenant }));
    const expecting = subscribers().filter((client) => arriving.has(client));
    for (const [topic, findMark] of Object.entries(marks)) {
      const key = `${tenant.accountName} ${topic}`;
      const found = await findMark(ctx, tenant);
      const before = known.get(key);
      const mark = found ?? before ?? '';
      known.set(key, mark);
      if (before !== undefined && before !== mark)
        for (const client of subscribers()) send(client, 'change', { topic });
    }
    for (const client of expecting) if (arriving.delete(client)) send(client, 'ready', {});
  };

  const tryToPoll = (client: Client) =>
    pollAccount(client).then(loop.passed, (error: unknown) => {
      loop.failed(error);
      client.ctx.log.warn({ err: error }, 'an account could not be polled for the console');
    });

  const forgetUnused = () => {
    const used = new Set([...clients].map(keyOf));
    for (const key of known.keys()) if (!used.has(key.split(' ')[0]!)) known.delete(key);
  };

  const beat = async () => {
    for (const client of [...clients]) {
      const viewer = await findViewer(client.ctx, client.sessionHash);
      if (isAllowed(viewer, client.tenant)) send(client, 'beat', { now: client.ctx.now() });
      else drop(client);
    }
  };

  const poll = async () => {
    for (const [, [subscriber]] of Map.groupBy(clients, keyOf)) await tryToPoll(subscriber!);
    if (++polls % BEATS_EVERY_POLLS === 0)
      await beat().catch(() => {
        // Without the database no session can be checked. Browsers reconnect.
        for (const client of [...clients]) drop(client);
      });
    forgetUnused();
    timer = clients.size === 0 ? undefined : setTimeout(poll, pollMs);
    if (timer === undefined) loop.rest();
  };

  loop.rest();
  return {
    open(ctx, tenant, viewer) {
      const { sessionHash, kind } = viewer;
      const caller = callerOf(viewer);
      const client: Client = { ctx, tenant, sessionHash, kind, caller, stream: new PassThrough() };
      if (!hasPlace(clients, client)) refuse(consoleFaults.tooManyStreams);
      clients.add(client);
      arriving.add(client);
      client.stream.on('close', () => forget(client));
      send(client, 'beat', { now: ctx.now() });
      void tryToPoll(client);
      if (timer === undefined) loop.begin();
      timer ??= setTimeout(poll, pollMs);
      return client.stream;
    },
    endSession(sessionHash) {
      for (const client of [...clients]) if (client.sessionHash === sessionHash) drop(client);
    },
    close() {
      clearTimeout(timer);
      for (const client of [...clients]) drop(client);
    },
  };
}
