import { faultCatalogue } from '../../src/app/fault-catalogue.ts';
import { VERSION } from '../../src/app/version.ts';
import { describeCallbacks } from '../../src/features/callback-payloads/index.ts';
import { settingRows } from '../../src/platform/config/settings.ts';
import { recordExamples } from '../examples/record.ts';
import { freshDatabase } from './database.ts';
import { schemaText } from './schema-text.ts';
import { makeWorld } from './world.ts';

async function schema(): Promise<string> {
  const { db, drop } = await freshDatabase();
  try {
    return await schemaText(db);
  } finally {
    await drop();
  }
}

async function openapi(): Promise<string> {
  const { api } = await makeWorld();
  return `${JSON.stringify((await api.inject('/api/openapi.json')).json(), null, 2)}\n`;
}

async function settings(): Promise<string> {
  const rows = settingRows.map(
    ({ name, fallback, meaning }) =>
      `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${meaning} |`,
  );
  return [
    '# Settings',
    '',
    'Every setting is an environment variable. An empty one counts as absent. This page is written by `npm run generate`.',
    '',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

async function errors(): Promise<string> {
  const areas = Object.entries(faultCatalogue).map(([area, rows]) => [
    `## ${area[0]?.toUpperCase()}${area.slice(1)}`,
    '',
    '| Status | Code | Message |',
    '|---|---|---|',
    ...Object.values(rows).map(({ status, code, message }) => `| ${status} | \`${code}\` | ${message} |`),
    '',
  ]);
  return [
    '# Errors',
    '',
    'Every refusal the service knows, by where it comes from. This page is written by `npm run generate`.',
    '',
    'A message may go on with a reason behind a colon. Those about devices of the location area ("Device not found",',
    '"Ownership or MDN validation failed", "Fail to verify device", "Duplicate devices in deviceList." and "Duplicate exclusion',
    'devices.") go on with up to ten of the identifiers at fault, as the caller sent them, and with how many more there are.',
    '',
    ...areas.flat(),
  ].join('\n');
}

/** Committed files that are generated from the code. A test keeps them current. */
export const generated: Readonly<Record<string, () => Promise<string>>> = {
  'schema.sql': schema,
  // Before the document that contains them.
  'examples.json': async () => `${JSON.stringify(await recordExamples(), null, 2)}\n`,
  'openapi.json': openapi,
  'asyncapi.json': async () => `${JSON.stringify(describeCallbacks({ version: VERSION }), null, 2)}\n`,
  'docs/settings.md': settings,
  'docs/errors.md': errors,
};
