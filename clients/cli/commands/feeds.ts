import type { Command } from 'commander';
import { Ended, EXIT, wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { plainText } from '../plain-text.ts';
import { printOutcome, remark } from '../print.ts';
import { sendFile } from '../send-file.ts';
import { putFile } from './put-file.ts';

/** The service reads as fast as it writes, so it is never silent for long. */
const IDLE_SECONDS = 5 * 60;

interface Fed {
  readonly accepted: number;
  /** Only for feeds whose records have ids. */
  readonly duplicates?: number;
  /** Only for readings: older than the last known one of the device. */
  readonly late?: number;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedTotal: number;
}

interface Feed {
  readonly name: string;
  readonly what: string;
  readonly description: string;
  readonly example: string;
  /** For lines that are not JSON. */
  readonly contentType?: string;
}

const FEEDS: readonly Feed[] = [
  {
    name: 'usage',
    what: 'records',
    description:
      'Feeds usage records: one JSON record a line, a JSON array or a batch of CloudEvents, each also as gzip. ' +
      'Feeding a file again changes nothing, so you can repeat an interrupted feed.',
    example: 'usage-2026-01-15.ndjson.gz',
  },
  {
    name: 'positions',
    what: 'positions',
    description:
      'Feeds positions of devices into the location cache: one JSON record a line or a JSON array, each also as gzip.',
    example: 'positions.ndjson',
  },
  {
    name: 'readings',
    what: 'readings',
    description:
      'Feeds readings of sensors, on which rules are evaluated: one JSON record a line or a JSON array, each also as gzip.',
    example: 'readings.ndjson',
  },
];

const LINES_SHOWN = 5;

/** Combines records with the same reason into one line with a count. */
const listRejected = (rejected: Fed['rejected']): string[] =>
  [...Map.groupBy(rejected, ({ reason }) => reason)].map(([reason, same]) => {
    const numbers = same.slice(0, LINES_SHOWN).map(({ line }) => line);
    if (same.length === 1) return `line ${numbers[0]}: ${reason}`;
    const more = same.length > LINES_SHOWN ? ', …' : '';
    return `${same.length} lines: ${reason} (lines ${numbers.join(', ')}${more})`;
  });

const feed = (of: Feed) =>
  async function feedFile(
    file: string,
    { feed: named, source }: { readonly feed?: string; readonly source?: string },
    command: Command,
  ): Promise<void> {
    const invocation = invocationOf(command);
    if (named !== undefined && source !== undefined)
      throw wrongUsage('--source is not for --feed: a folder has its source in the network file.');
    if (named !== undefined) return putFile(invocation, named, file);
    const fed = await sendFile<Fed>(invocation, file, {
      route: `POST /operator/v1/${of.name}`,
      query: { source },
      contentType: of.contentType ?? 'application/x-ndjson',
      idleSeconds: IDLE_SECONDS,
      atEnd: `writing the last ${of.what}`,
    });
    const { accepted, duplicates, late, rejected, rejectedTotal } = fed;
    if (!invocation.json) {
      const lines = listRejected(rejected);
      const more = rejectedTotal - rejected.length;
      if (more > 0) lines.push(`and ${more} more`);
      if (lines.length > 0) remark(invocation, lines.map(plainText).join('\n'));
    }
    const before = duplicates === undefined ? '' : `${duplicates} duplicates, `;
    const tooLate = late === undefined ? '' : `${late} late, `;
    printOutcome(
      invocation,
      fed,
      `Accepted ${accepted} ${of.what}; ${before}${tooLate}${rejectedTotal} rejected.`,
    );
    if (rejectedTotal > 0) throw new Ended(EXIT.refused);
  };

const CELLS: Feed = {
  name: 'cells',
  what: 'cells',
  description:
    'Imports a table of radio cells for coarse positions of lines. The columns are radio, mcc, net, area, cell, unit, lon, ' +
    'lat and range, separated by commas. The file may be gzip.',
  example: 'cells.csv.gz',
  contentType: 'text/csv',
};

export function addFeeds(program: Command): void {
  program
    .command('cells')
    .description('Manages the positions of radio cells.')
    .command('import')
    .description(CELLS.description)
    .argument('<file>', 'the cells; - reads standard input')
    .addHelpText('after', `\nExample:\n  $ linekeeper cells import ${CELLS.example}`)
    .action(feed(CELLS));
  for (const one of FEEDS) {
    const command = program
      .command(one.name)
      .description(one.description)
      .argument('<file>', `the ${one.what}; - reads standard input`)
      .addHelpText('after', `\nExample:\n  $ linekeeper ${one.name} ${one.example}`)
      .action(feed(one));
    if (one.name === 'usage')
      command
        .option(
          '--source <name>',
          'the sender of the records: the same id from another source is another record',
        )
        .option(
          '--feed <name>',
          'put the file into the folder of this feed, which reads it by its mapping, and wait until it is processed',
        );
  }
}
