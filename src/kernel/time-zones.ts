/** Makes one value for each requested time zone: there are about a hundred, and formatters are expensive. */
export function forZone<T>(make: (timeZone: string) => T): (timeZone: string) => T {
  const made = new Map<string, T>();
  return (timeZone) => {
    const known = made.get(timeZone);
    if (known !== undefined) return known;
    const one = make(timeZone);
    made.set(timeZone, one);
    return one;
  };
}
