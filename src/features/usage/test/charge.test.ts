import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { exactCharge } from '../usage-record.ts';

const kept = (written: string) => exactCharge(Number(written), `{"chargeAmount": ${written}}`);

/** As a whole number of the smallest unit that can be stored, and whether nothing is left over. */
function inParts(written: string): { parts: bigint; isWhole: boolean } {
  const [mantissa, exponent = '0'] = written.toLowerCase().split('e');
  const [whole, fraction = ''] = mantissa!.split('.');
  const shift = Number(exponent) - fraction.length + 12;
  const digits = BigInt(`${whole}${fraction}`);
  if (shift >= 0) return { parts: digits * 10n ** BigInt(shift), isWhole: true };
  const divisor = 10n ** BigInt(-shift);
  return { parts: digits / divisor, isWhole: digits % divisor === 0n };
}

describe('a charge', () => {
  for (const [written, digits] of [
    ['5e-7', '0.0000005'],
    ['1e-7', '0.0000001'],
    ['1.5e-6', '0.0000015'],
    ['1E2', '100'],
    ['1e+12', '1000000000000'],
    ['12.5e-1', '1.25'],
    ['0.005e3', '5'],
    ['1.50e1', '15'],
    ['1.5e0', '1.5'],
    ['123456789012.000000000001e0', '123456789012.000000000001'],
    ['0e0', '0'],
    ['0.000e-400', '0'],
    ['0e9999999999', '0'],
    ['1e-12', '0.000000000001'],
    ['0.10', '0.10'],
  ] as const)
    it(`that is written ${written} is ${digits}`, () => assert.equal(kept(written), digits));

  for (const written of [
    '1e-13',
    '1.5e-12',
    '1e-400',
    '1e-9999999999',
    '1234567890123e1',
    '0.1234567890123e0',
  ])
    it(`cannot be stored if it has too many digits: ${written}`, () =>
      assert.equal(kept(written), undefined));

  // proves usage/charges
  it('is exactly as written, with any exponent, and also as JSON.stringify writes it', () => {
    const random = randomFor('charges');
    const digits = (most: number) =>
      Array.from({ length: random.between(1, most) }, () => random.pick([...'00123456789'])).join('');
    for (let n = 0; n < 20_000; n++) {
      const whole = digits(14).replace(/^0+(?=[0-9])/, '');
      const fraction = random.next() < 0.5 ? `.${digits(14)}` : '';
      const exponent = `${random.pick(['e', 'E'])}${random.pick(['', '+', '-'])}${random.between(0, 16)}`;
      const written = `${whole}${fraction}${exponent}`;
      const { parts, isWhole } = inParts(written);
      const fits = isWhole && parts < 10n ** 25n;
      const text = kept(written);
      assert.equal(text !== undefined, fits, written);
      if (text === undefined) continue;
      assert.match(text, /^(0|[1-9][0-9]{0,12})(\.[0-9]{0,11}[1-9])?$/, written);
      assert.equal(inParts(text).parts, parts, written);
      const sent = JSON.stringify({ chargeAmount: Number(text) });
      assert.equal(Number(exactCharge(Number(text), sent)), Number(text), sent);
    }
  });
});
