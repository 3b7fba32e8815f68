/** Downloads the texts as one file. */
export function saveAs(name: string, ...texts: readonly string[]): void {
  const type = name.endsWith('.json') ? 'application/json' : 'text/csv;charset=utf-8';
  const url = URL.createObjectURL(new Blob([...texts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
