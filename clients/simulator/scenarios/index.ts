import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Session } from './record/record-scenario.ts';
import type { Scenario } from './schema.ts';

export type { Check } from './expectations.ts';
export { type Played, playScenario } from './play-scenario.ts';
export { readCalls, readOutcome } from './record/read-session.ts';
export type { Session } from './record/record-scenario.ts';
export type { Scenario } from './schema.ts';
export { UnknownName } from './values.ts';

/** The built-in scenarios; their files show how to write one. */
export const SCENARIOS = ['overage', 'dead-listener', 'month-end', 'offline-fleet', 'flaky-service'].map(
  (name) => ({
    name,
    file: fileURLToPath(new URL(`./${name}.yaml`, import.meta.url)),
  }),
);

/** The parser is loaded only when there is a file to read. */
export async function readScenario(file: string): Promise<Scenario> {
  const { parseScenario } = await import('./read-scenario.ts');
  return parseScenario(file, await readFile(file, 'utf8'));
}

/** The schema of a file, for editors. */
export const readSchema = async (): Promise<object> => (await import('./schema.ts')).ScenarioSchema;

/** The text of a file that replays a session, in the format of its name. Throws the reason if that is impossible. */
export async function recordSession(session: Session, file: string) {
  const { writeRecorded } = await import('./record/write-recorded.ts');
  return writeRecorded(session, file);
}
