/** Makes something once for each time zone that it is asked for: there are some hundred, and a formatter costs much. */
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
