import { isZipCode, zipTextOf } from '../../../kernel/zip-code.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import { placeFaults } from '../errors.ts';
import type { Address, CustomerName, PlaceOfUse, WirePlace } from './schemas.ts';

const FIRST_NAME_MAX = 20;
const LAST_NAME_MAX = 25;

/** The fields as the client wrote them, unchecked. */
type Written<T> = { readonly [K in keyof T]?: string };

/**
 * Common spellings: Box, P.O. Box, PO-Box, P O B 12, Post Office Box, Postal Box, or drawer instead of box. A name that only
 * begins like one, as in 9 Poboxer St, is no box.
 */
const PO_BOX =
  /\bp[\s./-]*o[\s./-]*(box|bx|drawer)(?![a-z])|\bp[\s./-]*o[\s./-]*b[\s.]*#?\s*\d|\bpost(al)?[\s.-]*(office[\s.-]*)?(box|bx|drawer)(?![a-z])|^\s*box\s*#?\s*\d/i;

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** The address, or a description of its error. */
export function parseAddress(written: Written<Address>): Address | string {
  const { addressLine1 = '', addressLine2, city = '', state = '', zip = '', zip4, country } = written;
  if (!isGiven(addressLine1)) return 'addressLine1 is missing';
  if (PO_BOX.test(addressLine1)) return 'addressLine1 is a P.O. box and no physical address';
  if (!isGiven(city)) return 'city is missing';
  if (!/^[a-z]{2}$/i.test(state)) return 'state is not a two-letter abbreviation';
  if (!isZipCode(zip)) return 'zip does not have 5 digits';
  if (isGiven(zip4) && !/^[0-9]{4}$/.test(zip4)) return 'zip4 does not have 4 digits';
  if (isGiven(country) && country.toUpperCase() !== 'US') return 'country is not US';
  return {
    addressLine1,
    ...(isGiven(addressLine2) && { addressLine2 }),
    city,
    state: state.toUpperCase(),
    zip,
    ...(isGiven(zip4) && { zip4 }),
    country: 'US',
  };
}

const NAME = /^[A-Za-z0-9 \-!#]+$/;

function nameProblem(field: string, text: string, max: number): string | undefined {
  if (!isGiven(text)) return `${field} is missing`;
  if (text.length > max) return `${field} has more than ${max} characters`;
  return NAME.test(text)
    ? undefined
    : `${field} has other characters than letters, digits, space, dash, ! and #`;
}

/** The customer's name, or a description of its error. */
export function parseCustomerName(written: Written<CustomerName>): CustomerName | string {
  const { title, firstName = '', middleName, lastName = '', suffix } = written;
  return (
    nameProblem('firstName', firstName, FIRST_NAME_MAX) ??
    nameProblem('lastName', lastName, LAST_NAME_MAX) ?? {
      ...(isGiven(title) && { title }),
      firstName,
      ...(isGiven(middleName) && { middleName }),
      lastName,
      ...(isGiven(suffix) && { suffix }),
    }
  );
}

function orRefuse<T>(parsed: T | string, fault: FaultKind, where: string): T {
  return typeof parsed === 'string' ? refuse(fault, { reason: `${where}: ${parsed}` }) : parsed;
}

/**
 * Parses a place of use. Refuses an invalid one; `where` names its position in the request. The interface's table has
 * the spelling `addresLine1`; published clients have `zip+4` and no country.
 */
export function parsePlace({ address = {}, customerName = {} }: WirePlace, where: string): PlaceOfUse {
  const { addresLine1 = '', addressLine1 = '', zip = '', 'zip+4': plus4, ...others } = address;
  const written = {
    ...others,
    addressLine1: addressLine1.trim() === '' ? addresLine1 : addressLine1,
    zip: zipTextOf(zip),
    ...(isGiven(plus4) && !isGiven(others.zip4) && { zip4: plus4 }),
  };
  return {
    address: orRefuse(parseAddress(written), placeFaults.badAddress, where),
    customerName: orRefuse(parseCustomerName(customerName), placeFaults.badName, where),
  };
}
