import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { problemsOfAnswer, problemsOfSecrecy } from './check.ts';
import { aliases, type Operation, operations } from './document.ts';
import { type MadeUp, requestsTo } from './request.ts';
import { type Caller, makeScene, type Scene } from './scene.ts';
import type { Answer, Sent } from './wire.ts';

/** `npm run fuzz` asks for many; these are what all routes together can afford in every run. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 8);
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));

const runsOf: Readonly<Record<Caller, number>> = {
  owner: RUNS,
  stranger: Math.ceil(RUNS / 2),
  nobody: Math.ceil(RUNS / 8),
};

const SHOWN = 1_500;
const shown = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);

function toSent({ known, headersOf }: Scene, operation: Operation, caller: Caller, made: MadeUp): Sent {
  const { body } = made;
  return {
    method: operation.method,
    url: `/api${known.resolve(made.path + made.query, encodeURIComponent)}`,
    headers: { ...made.headers, ...headersOf(operation, caller) },
    body: typeof body === 'string' ? known.resolve(body, inJson) : body,
  };
}

const describeFailure = (problems: readonly string[], sent: Sent, answer: Answer): string =>
  [
    problems.join('; '),
    `again: npm test -- --seed=${SEED} --runs=${RUNS} fuzz`,
    `${sent.method} ${shown(sent.url)}`,
    `sent ${JSON.stringify(sent.headers)} ${shown(String(sent.body))}`,
    `answered ${answer.status} ${shown(answer.body)}`,
  ].join('\n');

/** Only these can end a session, take an account away or move time. */
const canBreakTheWorld = ({ method, path }: Operation): boolean =>
  method !== 'GET' && /^\/(operator|ts|m2m\/v1\/session|console\/v1\/(sign-out|clock))/.test(path);

/** Putting the world in order again takes longer than the request. */
const [MENDING_COSTS, MENDINGS_MAX] = [3, 20];

async function tryOne(scene: Scene, operation: Operation, caller: Caller, made: MadeUp): Promise<void> {
  const sent = toSent(scene, operation, caller, made);
  const answer = await scene.ask(sent);
  const problems = [
    ...problemsOfAnswer(operation, answer),
    ...(caller === 'owner' ? [] : problemsOfSecrecy(answer)),
  ];
  if (problems.length > 0) throw new Error(describeFailure(problems, sent, answer));
  if (answer.status >= 300) return;
  if (canBreakTheWorld(operation)) await scene.mend();
  if (caller !== 'owner') return;
  scene.known.learnFrom(JSON.parse(answer.body === '' ? 'null' : answer.body));
  const next = answer.headers['x-next'];
  if (typeof next === 'string') scene.known.learn('page', next);
}

/** Every operation of the document whose path fits, by everybody, with all sorts of values. */
export async function fuzzArea(area: RegExp): Promise<Scene> {
  const scene = await makeScene();
  const chosen = [...operations, ...aliases].filter(({ path }) => area.test(path));
  for (const caller of ['owner', 'stranger', 'nobody'] as const) {
    describe(`whatever ${caller} sends is answered as the document says`, () => {
      for (const operation of chosen) {
        it(`${operation.method} ${operation.path}`, async () => {
          const property = fc.asyncProperty(requestsTo(operation), (made) =>
            tryOne(scene, operation, caller, made),
          );
          const mended = Math.min(Math.ceil(runsOf[caller] / MENDING_COSTS), MENDINGS_MAX);
          const numRuns = canBreakTheWorld(operation) ? mended : runsOf[caller];
          await fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
        });
      }
    });
  }
  return scene;
}
