import { createHash } from 'node:crypto';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { refuse } from '../context/fault.ts';
import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { renderFault, toFault } from './dialect.ts';

const KEPT_MS = 24 * 3_600_000;
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;
/** Only these headers are kept with an answer; a secret in a header is sent once. */
const KEPT_HEADERS = ['content-type', 'x-next', 'location'];

interface KeptAnswer {
  readonly bodyHash: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface AnswerKey {
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
}

/** A path with its query may be longer than an index allows. */
const PATH_MAX = 512;
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const boundedPath = (path: string) => (path.length <= PATH_MAX ? path : `sha256 ${digest(path)}`);

/** Held until the transaction ends, and released by a crash: "in flight" needs no row of its own. */
const tryLock = (db: Db, { caller, key, method, path }: AnswerKey): Promise<boolean> =>
  db.value<boolean>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`${caller} ${key} ${method} ${path}`}, 0)) as got`);

const findAnswer = (db: Db, { caller, key, method, path }: AnswerKey, now: Date) =>
  db.maybe<KeptAnswer>(sql`
    select body_hash as "bodyHash", status, headers, body from idempotent_answer
    where caller = ${caller} and key = ${key} and method = ${method} and path = ${path} and expires_at > ${now}`);

const insertAnswer = (
  db: Db,
  { caller, key, method, path }: AnswerKey,
  answer: KeptAnswer,
  expiresAt: Date,
) =>
  db.exec(sql`
    insert into idempotent_answer (caller, key, method, path, body_hash, status, headers, body, expires_at)
    values (${caller}, ${key}, ${method}, ${path}, ${answer.bodyHash}, ${answer.status}, ${answer.headers},
            ${answer.body}, ${expiresAt})
    on conflict (caller, key, method, path) do update set body_hash = excluded.body_hash, status = excluded.status,
      headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at`);

export const deleteExpiredAnswers = (db: Db, now: Date, limit: number) =>
  db.exec(sql`
    delete from idempotent_answer where (caller, key, method, path) in (
      select caller, key, method, path from idempotent_answer where expires_at <= ${now} limit ${limit})`);

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly answerKey: AnswerKey;
  readonly bodyHash: string;
}

const findKept = async (db: Db, { request, answerKey, bodyHash }: Asked): Promise<KeptAnswer | undefined> => {
  const kept = await findAnswer(db, answerKey, request.ctx.now());
  return kept === undefined || kept.bodyHash === bodyHash ? kept : refuse(request.dialect.faults.keyReused);
};

/** A refusal is an answer too, but a failure of the service is not. */
async function answerOf(
  { request, reply, bodyHash }: Asked,
  run: () => Promise<unknown>,
): Promise<KeptAnswer> {
  const { dialect } = request;
  try {
    const payload = await run();
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)] as const];
    });
    return {
      bodyHash,
      status: reply.statusCode,
      headers: { 'content-type': 'application/json; charset=utf-8', ...Object.fromEntries(headers) },
      body: reply.serialize(payload as object) as string,
    };
  } catch (error) {
    const fault = toFault(error as Error, dialect.faults);
    if (fault.kind.status >= 500) throw error;
    reply.headers({ ...fault.detail.headers });
    const type = dialect.contentType ?? 'application/json; charset=utf-8';
    const body = JSON.stringify(renderFault(fault, dialect, request));
    return { bodyHash, status: fault.kind.status, headers: { 'content-type': type }, body };
  }
}

const keep = (db: Db, { request: { ctx }, answerKey }: Asked, answer: KeptAnswer) =>
  insertAnswer(db, answerKey, answer, new Date(ctx.now().getTime() + KEPT_MS));

const refuseInFlight = ({ request: { dialect } }: Asked) =>
  refuse(dialect.faults.keyInFlight, { headers: { 'retry-after': '1' } });

/** The change and its answer commit together. A refusal undoes the change, and is also kept. */
async function answerOnce(asked: Asked, run: () => Promise<unknown>): Promise<KeptAnswer> {
  const { request, answerKey } = asked;
  const { ctx } = request;
  const answering = ctx.db.tx(
    async (db) => {
      if (!(await tryLock(db, answerKey))) refuseInFlight(asked);
      const kept = await findKept(db, asked);
      if (kept !== undefined) return kept;
      request.ctx = { ...ctx, db };
      const answer = await answerOf(asked, () => db.savepoint(run));
      await keep(db, asked, answer);
      return answer;
    },
    { ecpdId: request.tenant?.ecpdId },
  );
  // The hooks after the handler must not use a connection that the transaction has released.
  return answering.finally(() => {
    request.ctx = ctx;
  });
}

const inFlight = new Set<string>();

/**
 * For a change of many transactions that only one process makes at a time: keeps the answer once there is one. A temporary
 * conflict (409) is not kept.
 */
async function answerAfterwards(asked: Asked, run: () => Promise<unknown>): Promise<KeptAnswer> {
  const { db } = asked.request.ctx;
  const flight = JSON.stringify(asked.answerKey);
  if (inFlight.has(flight)) refuseInFlight(asked);
  inFlight.add(flight);
  try {
    const kept = await findKept(db, asked);
    if (kept !== undefined) return kept;
    const answer = await answerOf(asked, run);
    // The change may have replaced the database.
    if (answer.status !== 409) await keep(asked.request.ctx.db, asked, answer);
    return answer;
  } finally {
    inFlight.delete(flight);
  }
}

const callerOf = (request: FastifyRequest): string =>
  request.operator === undefined
    ? `user ${request.principal.username}`
    : `operator ${request.operator.keyName}`;

function wrap(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function idempotent(request, reply) {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return handler.call(this, request, reply);
    if (typeof key !== 'string' || !KEY_SHAPE.test(key)) {
      refuse(request.dialect.faults.invalid, {
        reason: 'Idempotency-Key must be 1 to 255 visible characters',
      });
    }
    const { method, url } = request;
    const answerKey = { caller: callerOf(request), key, method, path: boundedPath(url) };
    const asked = { request, reply, answerKey, bodyHash: digest(JSON.stringify(request.body ?? null)) };
    const { idempotencyKey } = request.routeOptions.config;
    const run = async () => handler.call(this, request, reply);
    const answer = await (idempotencyKey === 'afterwards' ? answerAfterwards : answerOnce)(asked, run);
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  };
}

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function takesKey({ method, config }: RouteOptions): boolean {
  const kind = config?.access?.kind;
  // Console routes take a key only if they declare it: the others return secrets, or need no key.
  const known =
    kind === 'session' ||
    kind === 'account' ||
    kind === 'operator' ||
    (kind === 'viewer' && config?.idempotencyKey === true);
  return (
    known &&
    !config?.query &&
    config?.idempotencyKey !== false &&
    [method].flat().every((name) => CHANGING.has(name))
  );
}

/** Routes declare only exceptions; every state-changing call accepts an Idempotency-Key. */
export function acceptIdempotencyKeys(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (takesKey(route)) route.handler = wrap(route.handler);
  });
}
