import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { PRIMARY } from '../../../../demo/accounts.ts';
import { parseDeviceId } from '../../../kernel/device-id.ts';

it('the example of the manual adds the line that its report is about to an account of the demo fleet', () => {
  const page = readFileSync('docs/feeds-radius.md', 'utf8');
  const [, document = ''] = /^echo '(.*)' > line\.json$/m.exec(page) ?? [];
  const [, imsi = ''] = /^3GPP-IMSI = "(\d+)"$/m.exec(page) ?? [];
  assert.deepEqual(JSON.parse(document), { devices: [{ accountName: PRIMARY, imsi }] });
  assert.notEqual(parseDeviceId('imsi', imsi), undefined);
  assert.ok(page.includes(`linekeeper devices sessions imsi ${imsi}\n`));
});
