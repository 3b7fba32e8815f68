import type { Command } from 'commander';
import type { Answer } from '../../sdk/index.ts';
import { invocationOf } from '../invocation.ts';
import { printOutcome } from '../print.ts';
import { sendFile } from '../send-file.ts';

const ROUTE = 'POST /operator/v1/import';
/** The service's own time limit for one step of the merge. */
const IDLE_SECONDS = 15 * 60;

async function importFile(file: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await sendFile<Answer<typeof ROUTE>>(invocation, file, {
    route: ROUTE,
    contentType: 'application/json',
    idleSeconds: IDLE_SECONDS,
    atEnd: 'merging',
  });
  const counts = Object.entries(answer.counts).map(([section, count]) => `${section}: ${count}`);
  printOutcome(invocation, answer, `Imported ${counts.join(', ') || 'an empty document'}.`);
}

export function addImport(program: Command): void {
  program
    .command('import')
    .description(
      'Creates and updates the objects in a fleet document (accounts, users, plans, devices, …), all or nothing. ' +
        'The document is JSON, optionally as gzip.',
    )
    .argument('<file>', 'the document; - reads standard input')
    .addHelpText('after', '\nExample:\n  $ linekeeper import fleet.json.gz')
    .action(importFile);
}
