/** A spreadsheet would take these beginnings for a formula; numbers may have their sign. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+$)/;

function toCell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with lines for spreadsheets too. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
