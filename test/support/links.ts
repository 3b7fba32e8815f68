/** `[words](page#heading)` and, at the end of a page, `[words]: page`. */
const LINK = /\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm;

/** The links of a page to files in the tree, not to other hosts. */
export const linksIn = (text: string): string[] =>
  [...text.matchAll(LINK)]
    .map(([, inline, atEnd]) => inline ?? atEnd!)
    .filter((link) => !/^[a-z]+:/.test(link));
