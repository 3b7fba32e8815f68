import { stringify } from 'yaml';
import { parseScenario } from '../read-scenario.ts';
import { recordPlayable, type Session } from './record-scenario.ts';

interface Written {
  readonly text: string;
  readonly steps: number;
  readonly notes: readonly string[];
}

/** Throws what stands against it, as a sentence. */
export function writeRecorded(session: Session, file: string): Written {
  const { scenario, steps, notes } = recordPlayable(session);
  const text = file.endsWith('.json')
    ? `${JSON.stringify(scenario, null, 2)}\n`
    : stringify(scenario, { aliasDuplicateObjects: false });
  // What cannot be read again must not be written.
  parseScenario(file, text);
  return { text, steps, notes };
}
