import type { Static } from 'typebox';
import { isZipCode, zipTextOf } from '../../kernel/zip-code.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { parseNamed, type Selection, wordOf } from '../carrier-requests/index.ts';
import { parsePlace } from '../devices/index.ts';
import { findPlanRules } from '../plans/index.ts';
import { lifecycleFaults } from './errors.ts';
import { parseIpAddress } from './lines/line-number.ts';
import type { ActivateBody, StoredActivation } from './schemas.ts';

function parseZipCode(given: string | number): string {
  const text = zipTextOf(given).trim();
  return isZipCode(text) ? text : refuse(lifecycleFaults.badZipCode);
}

/** Addresses by the word for the device's first identifier. If the request names a device twice, the first counts. */
function parseIpAddresses({
  named,
  entries,
}: ReturnType<typeof parseNamed>): Readonly<Record<string, string>> {
  const asked = entries.flatMap(({ ipAddress = '' }, n) => {
    if (ipAddress.trim() === '') return [];
    const parsed =
      parseIpAddress(ipAddress.trim()) ?? refuse(lifecycleFaults.badIpAddress, { reason: `devices[${n}]` });
    return named[n]!.slice(0, 1).map(({ kind, value }) => [wordOf({ kind, id: value }), parsed] as const);
  });
  return Object.fromEntries(asked.toReversed());
}

/** Parses an activation, and refuses it if it is wrong as a whole. */
export async function parseActivation(
  { db }: Ctx,
  body: ActivateBody,
): Promise<{ readonly selection: Selection; readonly asked: Static<typeof StoredActivation> }> {
  const { skuNumber = '', primaryPlaceOfUse } = body;
  const list = parseNamed(body);
  const mdnZipCode = parseZipCode(body.mdnZipCode);
  const ipAddresses = parseIpAddresses(list);
  const place = primaryPlaceOfUse && parsePlace(primaryPlaceOfUse, 'primaryPlaceOfUse');
  const plan = (await findPlanRules(db, body.servicePlan)) ?? refuse(lifecycleFaults.planNotFound);
  return {
    selection: { named: list.named },
    asked: {
      servicePlan: plan.code,
      mdnZipCode,
      ...(skuNumber.trim() !== '' && { skuNumber: skuNumber.trim() }),
      ...(place !== undefined && { place }),
      ...(Object.keys(ipAddresses).length > 0 && { ipAddresses }),
    },
  };
}
