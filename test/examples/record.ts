import type { Example } from '../../src/platform/http/examples.ts';
import { attempt, isJson, prepare } from '../fuzz/support/attempt.ts';
import { problemsOfExample } from '../fuzz/support/check.ts';
import { type Operation, operationsOf } from '../fuzz/support/document.ts';
import { PLAIN_FLEET } from '../fuzz/support/fleet.ts';
import { rightRequestTo, rightValuesOf } from '../fuzz/support/right-request.ts';
import { makeScene, type Scene } from '../fuzz/support/scene.ts';
import { openListener } from '../support/listener.ts';
import { type Readable, readable } from './readable.ts';
import { storyFleet, tellStory } from './story.ts';

/** Reads run before changes. Calls that can end sessions or remove accounts run last. */
function turnOf({ method, path }: Operation): number {
  if (method === 'GET') return 0;
  return /^\/(operator|ts|m2m\/v1\/session|console\/v1\/sign)/.test(path) ? 2 : 1;
}

const typed = (text: string, { type }: { type?: unknown }): unknown =>
  type === 'integer' || type === 'number' ? Number(text) : text;

const unlessEmpty = <T extends object>(name: string, values: T) =>
  Object.keys(values).length === 0 ? {} : { [name]: values };

function requestOf({ known }: Scene, operation: Operation) {
  const { path, query, body } = rightValuesOf(operation);
  const toValue = ([name, text]: readonly [string, string]) => {
    const { schema } = operation.parameters.find((parameter) => parameter.name === name)!;
    return [name, typed(known.resolve(text, String), schema)];
  };
  const all = (values: object) => Object.fromEntries(Object.entries(values).map(toValue));
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
  return {
    ...unlessEmpty('path', all(path)),
    ...unlessEmpty('query', all(query)),
    ...(body !== undefined && { body: JSON.parse(known.resolve(JSON.stringify(body), inJson)) }),
  };
}

/** Sends the valid request of the operation, and records the request and the response as readers should see them. */
async function record(scene: Scene, operation: Operation, write: Readable): Promise<Example> {
  const request = requestOf(scene, operation);
  const answer = await attempt(scene, operation, 'owner', rightRequestTo(operation), 'success');
  const { status, body } = answer;
  const example: Example = {
    ...write.request(operation.id, request),
    status,
    ...(body !== '' && { answer: isJson(answer) ? write.answer(operation.id, JSON.parse(body)) : body }),
  };
  const problems = problemsOfExample(operation, example);
  if (problems.length > 0) throw new Error(`the example of ${operation.id} ${problems.join('; ')}`);
  return example;
}

/** Records an example of each operation of the service on the demo fleet, in the order of the API document. */
export async function recordExamples(): Promise<Readonly<Record<string, Example>>> {
  // Sequential ids keep the order of lists that are sorted by id.
  let ids = 0;
  const newId = () => `${String(++ids).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const { url } = await openListener();
  const env = { LINEKEEPER_ADVANCE_WAIT_SECONDS: '60' };
  const scene = await makeScene(storyFleet(url), { newId, simulator: true, env });
  const operations = operationsOf((await scene.world.api.inject('/api/openapi.json')).json());
  const write = readable(PLAIN_FLEET, { [url]: PLAIN_FLEET.listeners[0]!.url });
  await tellStory(scene);
  /** Each call that may create something gets its own second, so that lists have one order. */
  const ask: Scene['ask'] = (sent) => {
    if (sent.method !== 'GET') scene.world.pass(1_000);
    return scene.ask(sent);
  };
  const paced = { ...scene, ask };
  const examples = new Map<string, Example>();
  for (const operation of operations.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    const example = await prepare(paced, operation, operations)
      // Otherwise a list of callbacks would depend on which ones happen to be delivered by now.
      .then(() => scene.world.delivery.settle())
      .then(() => record(paced, operation, write))
      .catch((cause: unknown) => {
        throw new Error(`${operation.id} has no example: its request in test/fuzz/support fails`, { cause });
      });
    examples.set(operation.id, example);
    if (turnOf(operation) === 2) await scene.mend();
  }
  return Object.fromEntries(operations.map(({ id }) => [id, examples.get(id)!]));
}
