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
    'Every setting is an environment variable. An empty variable counts as absent. `npm run generate` writes this page.',
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
    'Every error that the service returns, by the part that returns it. `npm run generate` writes this page.',
    '',
    'A colon and a reason may follow a message. In the location area, the messages about devices ("Device not found",',
    '"Ownership or MDN validation failed", "Fail to verify device", "Duplicate devices in deviceList." and "Duplicate exclusion',
    'devices.") are followed by up to ten of the wrong identifiers, as the caller sent them, and the number of the others.',
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
