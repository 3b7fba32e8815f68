import { stringify } from 'yaml';
import { parseScenario } from '../read-scenario.ts';
import { recordPlayable, type Session } from './record-scenario.ts';

interface Written {
  readonly text: string;
  readonly steps: number;
  readonly notes: readonly string[];
}

/** Throws the reason if the scenario is invalid. */
export function writeRecorded(session: Session, file: string): Written {
  const { scenario, steps, notes } = recordPlayable(session);
  const text = file.endsWith('.json')
    ? `${JSON.stringify(scenario, null, 2)}\n`
    : stringify(scenario, { aliasDuplicateObjects: false });
  // Never writes a file that cannot be read again.
  parseScenario(file, text);
  return { text, steps, notes };
}
