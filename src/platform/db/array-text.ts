const SPECIAL = /["\\]/;

/**
 * A list in PostgreSQL's text form of an array, for a parameter. The driver does the same, but it takes considerable time
 * if columns of thousands of values go into one statement.
 */
export function arrayText(values: readonly (string | number | boolean | undefined)[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (typeof value !== 'string') text += value ?? 'NULL';
    else text += `"${SPECIAL.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
  }
  return `${text}}`;
}
