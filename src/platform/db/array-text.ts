const SPECIAL = /["\\]/;

/**
 * A list as PostgreSQL writes arrays, for a parameter: the driver does the same for lists of a few, but takes a good part
 * of the time where columns of thousands go into one statement.
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
