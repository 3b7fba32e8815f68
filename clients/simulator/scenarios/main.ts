import { createOperatorClient } from '../../sdk/index.ts';
import type { Check } from './expectations.ts';
import { playScenario, Stopped } from './play-scenario.ts';
import { parseScenario, WrongScenario } from './read-scenario.ts';
import { UnknownName } from './values.ts';

/** The only request of the service. */
interface Asked {
  readonly play: { readonly file: string; readonly text: string };
}

/** Progress reports to the service. */
type Report =
  | { readonly begun: { readonly name: string; readonly summary: string; readonly steps: number } }
  | { readonly wrong: string }
  | { readonly step: number }
  | { readonly event: { readonly said: string } | Check }
  | { readonly ended: { readonly ok: boolean; readonly lookAt: readonly string[] } }
  | { readonly stopped: true }
  | { readonly broken: string };

const setting = (name: string): string => {
  const value = process.env[`LINEKEEPER_${name}`];
  if (value === undefined) throw new Error(`LINEKEEPER_${name} is missing: the service starts this program`);
  return value;
};

const report = (message: Report): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) return resolve();
    process.send(message, () => resolve());
  });

const stopping = new AbortController();

async function play({ file, text }: Asked['play']): Promise<Report> {
  const scenario = parseScenario(file, text);
  const { name, summary, steps } = scenario;
  await report({ begun: { name, summary, steps: steps.length } });
  const baseUrl = setting('URL');
  const { ok, lookAt } = await playScenario(scenario, {
    operator: createOperatorClient({ baseUrl, operatorKey: setting('OPERATOR_KEY') }),
    baseUrl,
    signal: stopping.signal,
    stepped: (step) => void report({ step }),
    said: (said) => void report({ event: { said } }),
    checked: (event) => void report({ event }),
  });
  return { ended: { ok, lookAt } };
}

function endOf(error: unknown): Report {
  if (error instanceof WrongScenario) return { wrong: error.message };
  if (error instanceof Stopped) return { stopped: true };
  const { message } = error as Error;
  return { broken: error instanceof UnknownName ? `the file contains an unknown name: ${message}` : message };
}

process.once('message', (asked: Asked) => {
  play(asked.play)
    .catch(endOf)
    .then(report)
    .then(() => process.exit(0));
});
process.on('SIGTERM', () => stopping.abort());
// Ends with its parent process, because a keyboard interrupt reaches both.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
