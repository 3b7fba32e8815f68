import type { Answer } from '../sdk/index.ts';

/** A counter that differs from the sum of the ledger. */
export type UsageDifference = Answer<'GET /operator/v1/usage/differences'>['differences'][number];

/** The part of a bill that a counter belongs to, and its charges besides bytes. */
function billWords({ bill }: UsageDifference): { readonly part: string; readonly charges: string } {
  if (bill === undefined) return { part: '', charges: '' };
  const { apn, ratingGroup, countryCode, delayed } = bill;
  const known = (text: string) => text || 'unknown';
  return {
    part: `, bill of APN ${known(apn)}, rating group ${known(ratingGroup)}, country ${known(countryCode)}${delayed ? ', delayed' : ''}`,
    charges:
      `; charged bytes ${bill.countedChargedBytes}, ledger ${bill.ledgerChargedBytes}` +
      `; amount ${bill.countedAmount}, ledger ${bill.ledgerAmount}`,
  };
}

export function describeDifference(accountName: string, difference: UsageDifference): string {
  const { deviceId, planCode, day, countedBytes, ledgerBytes, service } = difference;
  if (service !== undefined) {
    const { serviceName, counter, usedBy, counted, recorded } = service;
    const what = usedBy === '' ? counter : `${counter} of ${usedBy}`;
    return `${day} account ${accountName}, ${serviceName}, ${what}: counted ${counted}, ledger ${recorded}`;
  }
  const whose = deviceId === null ? `account ${accountName}` : `device ${deviceId} of ${accountName}`;
  const { part, charges } = billWords(difference);
  return `${day} ${whose}, plan ${planCode || 'unknown'}${part}: counted ${countedBytes}, ledger ${ledgerBytes}${charges}`;
}
