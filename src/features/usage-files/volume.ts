const NUMBER = /^(\d{1,16})(?:\.(\d{1,12}))?$/;

/** Exact as a number, and by far the most common form. */
const WHOLE_BYTES = /^\d{1,15}$/;

const UNITS = { B: 1n, KB: 1024n, MB: 1024n * 1024n } as const;

/** Whole bytes, rounded to the nearest; undefined if the text is no number or too large. */
export function bytesOf(text: string, unit: keyof typeof UNITS): number | undefined {
  if (unit === 'B' && WHOLE_BYTES.test(text)) return Number(text);
  const [, whole, fraction = ''] = NUMBER.exec(text) ?? [];
  if (whole === undefined || (unit === 'B' && /[1-9]/.test(fraction))) return undefined;
  const scale = 10n ** BigInt(fraction.length);
  const exact = BigInt(whole + fraction) * UNITS[unit];
  const bytes = (exact * 2n + scale) / (scale * 2n);
  return bytes > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(bytes);
}
