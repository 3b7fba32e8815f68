const CHARGE_NAME = '"chargeAmount"';
const CHARGE = /"chargeAmount"\s*:\s*([0-9][0-9.eE+-]*)/;
const CHARGES = new RegExp(CHARGE, 'g');

/** Finer than any currency, and short enough that nobody fills the ledger with digits. */
const WHOLE_MAX = 13;
const FRACTION_MAX = 12;
const PLAIN = new RegExp(`^[0-9]{1,${WHOLE_MAX}}(\\.[0-9]{1,${FRACTION_MAX}})?$`);
const WITH_EXPONENT = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?[eE]([+-]?[0-9]{1,10})$/;

/** Where a name stands twice, the last one counts; one that belongs to something else has another number. */
function chargeDigits(amount: number, text: string): string {
  const last = CHARGE.exec(text.slice(text.lastIndexOf(CHARGE_NAME)))?.[1];
  if (last !== undefined && Number(last) === amount) return last;
  const written = [...text.matchAll(CHARGES)].map(([, one]) => one!);
  return written.findLast((one) => Number(one) === amount) ?? String(amount);
}

/** Serialisers write small amounts so, 5e-7 for example. The point is moved in the text: a double would round. */
function withoutExponent(text: string): string | undefined {
  const [, whole, fraction = '', exponent] = WITH_EXPONENT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/0+$/, '');
  if (digits === '') return '0';
  const first = digits.search(/[1-9]/);
  const point = whole.length + Number(exponent);
  if (point - first > WHOLE_MAX || digits.length - point > FRACTION_MAX) return undefined;
  const before = digits.slice(first, Math.max(first, point)).padEnd(point - first, '0') || '0';
  const after = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return after === '' ? before : `${before}.${after}`;
}

/** Money as it was written: a parsed number has lost what a double cannot hold. Undefined where it cannot be kept. */
export function exactCharge(amount: number, text: string): string | undefined {
  const digits = chargeDigits(amount, text);
  return PLAIN.test(digits) ? digits : withoutExponent(digits);
}
