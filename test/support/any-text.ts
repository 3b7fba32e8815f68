import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count));

/** Text of any characters. Building the library's own generator takes seconds and a permanent hundred megabytes. */
export const anyText = (limits: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.array(anyCharacter, limits).map((characters) => characters.join(''));
