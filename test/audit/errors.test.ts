import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { faultCatalogue } from '../../src/app/fault-catalogue.ts';
import type { FaultKind } from '../../src/platform/context/fault.ts';

/** The rows of the interface's error tables: status, code, and the beginning of the message. */
const ROWS = `
400 INVALID_PARAMETER Unable to Cancel
400 INVALID_PARAMETER Invalid JSON.
400 INVALID_PARAMETER Device not found
400 CACHE_UNAVAILABLE Location cache has no data for this device
400 INVALID_PARAMETER Conflicting device list
400 INVALID_PARAMETER Consent check failed
400 INVALID_PARAMETER Ownership or MDN validation failed
400 INVALID_PARAMETER UWS verification failure (account not found)
400 INVALID_PARAMETER UWS verification failure (The Session has expired.)
400 INVALID_PARAMETER Device type check failed
400 INVALID_PARAMETER Invalid account name
400 INVALID_PARAMETER Unregistered account
400 INVALID_PARAMETER Invalid accuracy mode.
400 INVALID_PARAMETER Invalid cache mode
400 INVALID_PARAMETER Empty device list
400 INVALID_PARAMETER Per request max devices exceeded
400 INVALID_PARAMETER Duplicate devices in deviceList.
400 INVALID_PARAMETER Input Binding Error
400 INVALID_PARAMETER Invalid device kind
400 INVALID_PARAMETER Invalid device ID format
400 INTERNAL_ERROR Failed to get location
400 INTERNAL_ERROR Fail to verify device
400 PARAMETER_ERROR Ownership or MDN validation failed
400 PARAMETER_ERROR Conflicting device list
400 PARAMETER_ERROR Max exclusion devices over limit
400 PARAMETER_ERROR Invalid device ID format.
400 PARAMETER_ERROR Duplicate exclusion devices.
401 INVALID_ACCESS Access policy denied the operation
500 INTERNAL_ERROR Internal system error.
500 INTERNAL_ERROR Failed to get location
400 INVALID_PARAMETER Acct Not Provisioned With Provided Parameters. Check service & type fields
400 INVALID_PARAMETER Invalid Service Name
400 INVALID_PARAMETER Primary account not registered
400 INVALID_PARAMETER Txd Mismatch
400 INVALID_PARAMETER UWS account validation failed (contact has no access to the account)
400 Carrier.Service.INPUT_INVALID.Action.NotDefined accountName is a required field.
400 UnifiedWebService.REQUEST_FAILED.SessionToken.Format Session token missing.
400 UnifiedWebService.REQUEST_FAILED.SessionToken.Expired The Session has expired.
400 UnifiedWebService.INPUT_INVALID.SessionToken.Invalid Session token invalid.
401 900902 Missing Credentials
401 900901 Invalid Credentials
404 900906 No matching resource found in the API for the given request
`;

const catalogue = Object.values(faultCatalogue).flatMap((rows) => Object.values(rows));
const spell = ({ status, code, message }: FaultKind) => `${status} ${code} ${message}`;
const spelled = new Set(catalogue.map(spell));

describe('the error tables of the interface', () => {
  for (const row of ROWS.trim().split('\n')) {
    it(`have the row: ${row}`, () => assert.ok(spelled.has(row)));
  }
});

describe('every refusal', () => {
  it('is in the catalogue, whichever file defines it', async () => {
    const tables = globSync('src/**/*.ts').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^export const (\w+) = defineFaults\(/gm)].map(([, name]) => ({
        path,
        name: name!,
      })),
    );
    assert.ok(tables.length > 25);
    for (const { path, name } of tables) {
      const rows: Record<string, FaultKind> = (await import(`../../${path}`))[name];
      const missing = Object.values(rows).filter((row) => !spelled.has(spell(row)));
      assert.deepEqual([path, missing], [path, []]);
    }
  });

  it('has an error status, a code and a message', () => {
    assert.ok(catalogue.length > 100);
    assert.deepEqual(
      catalogue.filter(({ status, code, message }) => !(status >= 400 && status < 600 && code && message)),
      [],
    );
  });
});
