import { TEST_SEED } from '../../support/seeded-random.ts';
import { problemsOfAnswer, problemsOfSecrecy } from './check.ts';
import { type Operation, operations } from './document.ts';
import { PREPARATIONS } from './prepare.ts';
import type { MadeUp } from './request.ts';
import { rightRequestTo } from './right-request.ts';
import { RUNS } from './runs.ts';
import type { Caller, Scene } from './scene.ts';
import type { Answer, Sent } from './wire.ts';

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
    `again: npm test -- --seed=${TEST_SEED} --runs=${RUNS} fuzz`,
    `${sent.method} ${shown(sent.url)}`,
    `sent ${JSON.stringify(sent.headers)} ${shown(String(sent.body))}`,
    `answered ${answer.status} ${shown(answer.body)}`,
  ].join('\n');

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

export const isJson = ({ headers }: Pick<Answer, 'headers'>): boolean =>
  String(headers['content-type']).startsWith('application/json');

function learn({ known }: Scene, { headers, body }: Answer): void {
  if (isJson({ headers })) known.learnFrom(JSON.parse(body));
  const next = headers['x-next'];
  if (typeof next === 'string') known.learn('page', next);
}

/** Sends a request. Fails if anything is wrong with the response, or if it is not the `wanted` one. */
export async function attempt(
  scene: Scene,
  operation: Operation,
  caller: Caller,
  made: MadeUp,
  wanted?: 'success' | 'refusal',
): Promise<Answer> {
  const sent = toSent(scene, operation, caller, made);
  const answer = await scene.ask(sent);
  const problems = [
    ...problemsOfAnswer(operation, answer),
    ...(caller === 'owner' ? [] : problemsOfSecrecy(answer)),
    ...(wanted === undefined || isSuccess(answer) === (wanted === 'success')
      ? []
      : [`${caller} must get a ${wanted}`]),
  ];
  if (problems.length > 0) throw new Error(describeFailure(problems, sent, answer));
  if (caller === 'owner' && isSuccess(answer)) learn(scene, answer);
  return answer;
}

/** Creates what the operation needs, and what its last success used up. */
export async function prepare(scene: Scene, { id }: Operation, all = operations): Promise<void> {
  const ask = async (other: string, body?: unknown): Promise<unknown> => {
    const operation = all.find((one) => one.id === other);
    if (operation === undefined) throw new Error(`there is no operation ${other}`);
    const right = rightRequestTo(operation);
    const made = body === undefined ? right : { ...right, body: JSON.stringify(body) };
    return JSON.parse((await attempt(scene, operation, 'owner', made, 'success')).body);
  };
  for (const step of PREPARATIONS[id] ?? [])
    await (typeof step === 'string' ? ask(step) : step({ scene, ask }));
}
