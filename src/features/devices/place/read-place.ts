import { zipTextOf } from '../../../kernel/zip-code.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import { placeFaults } from '../errors.ts';
import { readAddress, readCustomerName } from './place-of-use.ts';
import type { PlaceOfUse, WirePlace } from './schemas.ts';

function orRefuse<T>(read: T | string, fault: FaultKind, where: string): T {
  return typeof read === 'string' ? refuse(fault, { reason: `${where}: ${read}` }) : read;
}

/** Refuses what is no place, and says `where` in the request it stands. `addresLine1` is how the interface's table spells it. */
export function readPlace({ address = {}, customerName = {} }: WirePlace, where: string): PlaceOfUse {
  const { addresLine1 = '', addressLine1 = '', zip = '', ...others } = address;
  const written = {
    ...others,
    addressLine1: addressLine1.trim() === '' ? addresLine1 : addressLine1,
    zip: zipTextOf(zip),
  };
  return {
    address: orRefuse(readAddress(written), placeFaults.badAddress, where),
    customerName: orRefuse(readCustomerName(customerName), placeFaults.badName, where),
  };
}
