import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDifference } from '../usage-difference.ts';

const ACCOUNT = '0000123456-00001';
const difference = { deviceId: null, planCode: 'P', day: '2026-01-15', countedBytes: '4', ledgerBytes: '5' };

describe('a difference between counters and ledger', () => {
  it('says whose counter it is, of which day and plan, and both numbers', () => {
    assert.equal(
      describeDifference(ACCOUNT, difference),
      `2026-01-15 account ${ACCOUNT}, plan P: counted 4, ledger 5`,
    );
    assert.equal(
      describeDifference(ACCOUNT, { ...difference, deviceId: 'd', planCode: '' }),
      `2026-01-15 device d of ${ACCOUNT}, plan unknown: counted 4, ledger 5`,
    );
  });

  it('says of what a bill is made of which part, and what was charged', () => {
    const bill = {
      apn: 'one.apn',
      ratingGroup: '',
      countryCode: 'USA',
      delayed: true,
      countedChargedBytes: '1',
      ledgerChargedBytes: '2',
      countedAmount: '0.30',
      ledgerAmount: '0.31',
    };
    assert.equal(
      describeDifference(ACCOUNT, { ...difference, bill }),
      `2026-01-15 account ${ACCOUNT}, plan P, bill of APN one.apn, rating group unknown, country USA, delayed: ` +
        'counted 4, ledger 5; charged bytes 1, ledger 2; amount 0.30, ledger 0.31',
    );
  });

  it('says of what a service is counted by, and whose use it was where that is told', () => {
    const service = { serviceName: 'fota', counter: 'own', usedBy: '', counted: '3', recorded: '2' };
    assert.equal(
      describeDifference(ACCOUNT, { ...difference, service }),
      `2026-01-15 account ${ACCOUNT}, fota, own: counted 3, ledger 2`,
    );
    assert.equal(
      describeDifference(ACCOUNT, { ...difference, service: { ...service, counter: 'line', usedBy: '1-1' } }),
      `2026-01-15 account ${ACCOUNT}, fota, line of 1-1: counted 3, ledger 2`,
    );
  });
});
