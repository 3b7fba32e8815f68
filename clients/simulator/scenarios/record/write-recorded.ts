import { stringify } from 'yaml';
import { parseScenario } from '../read-scenario.ts';
import { recordScenario, type Session } from './record-scenario.ts';

const STEPS_MAX = 500;

interface Written {
  readonly text: string;
  readonly steps: number;
  readonly notes: readonly string[];
}

/** Throws what stands against it, as a sentence. */
export function writeRecorded(session: Session, file: string): Written {
  const recorded = recordScenario(session);
  if (recorded === undefined) throw new Error('None of these calls can be played again');
  const { scenario, notes } = recorded;
  const { length: steps } = scenario['steps'] as readonly unknown[];
  if (steps > STEPS_MAX)
    throw new Error(
      `These calls make ${steps} steps, and a scenario has at most ${STEPS_MAX}: choose fewer of them`,
    );
  const text = file.endsWith('.json')
    ? `${JSON.stringify(scenario, null, 2)}\n`
    : stringify(scenario, { aliasDuplicateObjects: false });
  // What cannot be read again must not be written.
  parseScenario(file, text);
  return { text, steps, notes };
}
