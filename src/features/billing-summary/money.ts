/** Decimal digits of an amount, rounded half up to cents; the only place where money becomes a number. */
export function roundToCents(amount: string): number {
  const [whole, fraction = ''] = amount.split('.');
  const thousandths = BigInt(`${whole}${fraction.padEnd(3, '0').slice(0, 3)}`);
  return Number((thousandths + 5n) / 10n) / 100;
}
