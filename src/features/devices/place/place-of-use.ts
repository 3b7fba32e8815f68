import { isZipCode } from '../../../kernel/zip-code.ts';
import type { Address, CustomerName } from './schemas.ts';

const FIRST_NAME_MAX = 20;
const LAST_NAME_MAX = 25;

/** What somebody has written for a field: none of it is known to be right. */
type Written<T> = { readonly [K in keyof T]?: string };

/** Box, P.O. Box, PO-Box, P O B 12, Post Office Box, Postal Box, and a drawer for a box: how people write it. */
const PO_BOX =
  /\bp[\s./-]*o[\s./-]*(box|bx|drawer)|\bp[\s./-]*o[\s./-]*b[\s.]*#?\s*\d|\bpost(al)?[\s.-]*(office[\s.-]*)?(box|bx|drawer)|^\s*box\s*#?\s*\d/i;

const isSaid = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** The address, or in words what is wrong with it. */
export function readAddress(written: Written<Address>): Address | string {
  const { addressLine1 = '', addressLine2, city = '', state = '', zip = '', zip4, country } = written;
  if (!isSaid(addressLine1)) return 'addressLine1 is missing';
  if (PO_BOX.test(addressLine1)) return 'addressLine1 is a P.O. box and no physical address';
  if (!isSaid(city)) return 'city is missing';
  if (!/^[a-z]{2}$/i.test(state)) return 'state is not a two-letter abbreviation';
  if (!isZipCode(zip)) return 'zip does not have 5 digits';
  if (isSaid(zip4) && !/^[0-9]{4}$/.test(zip4)) return 'zip4 does not have 4 digits';
  if (country?.toUpperCase() !== 'US') return 'country is not US';
  return {
    addressLine1,
    ...(isSaid(addressLine2) && { addressLine2 }),
    city,
    state: state.toUpperCase(),
    zip,
    ...(isSaid(zip4) && { zip4 }),
    country: 'US',
  };
}

const NAME = /^[A-Za-z0-9 \-!#]+$/;

function nameProblem(field: string, text: string, max: number): string | undefined {
  if (!isSaid(text)) return `${field} is missing`;
  if (text.length > max) return `${field} has more than ${max} characters`;
  return NAME.test(text)
    ? undefined
    : `${field} has other characters than letters, digits, space, dash, ! and #`;
}

/** The customer's name, or in words what is wrong with it. */
export function readCustomerName(written: Written<CustomerName>): CustomerName | string {
  const { title, firstName = '', middleName, lastName = '', suffix } = written;
  return (
    nameProblem('firstName', firstName, FIRST_NAME_MAX) ??
    nameProblem('lastName', lastName, LAST_NAME_MAX) ?? {
      ...(isSaid(title) && { title }),
      firstName,
      ...(isSaid(middleName) && { middleName }),
      lastName,
      ...(isSaid(suffix) && { suffix }),
    }
  );
}
