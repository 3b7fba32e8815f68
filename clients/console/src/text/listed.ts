/** Parses a typed list and drops empty and duplicate entries. */
export const listed = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
