/** What somebody has written as a list, without what is empty or there twice. */
export const listed = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
