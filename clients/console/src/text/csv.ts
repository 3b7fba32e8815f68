/** Spreadsheets treat text with these beginnings as a formula; signed numbers are safe. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+$)/;

function toCell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with line ends that spreadsheets accept. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
