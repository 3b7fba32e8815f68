/** The values of a line. A quoted value may hold delimiters and doubled quotation marks. Undefined if a quote does not end. */
export function splitLine(line: string, delimiter: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter);
  const values: string[] = [];
  for (let at = 0; ; ) {
    if (line[at] !== '"') {
      const end = line.indexOf(delimiter, at);
      values.push(line.slice(at, end < 0 ? undefined : end));
      if (end < 0) return values;
      at = end + 1;
      continue;
    }
    let value = '';
    let end = line.indexOf('"', at + 1);
    for (; end >= 0 && line[end + 1] === '"'; end = line.indexOf('"', at + 1)) {
      value += line.slice(at + 1, end + 1);
      at = end + 1;
    }
    if (end < 0) return undefined;
    values.push(value + line.slice(at + 1, end));
    if (end + 1 === line.length) return values;
    if (line[end + 1] !== delimiter) return undefined;
    at = end + 2;
  }
}
