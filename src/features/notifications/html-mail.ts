const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);

/** Of text that is escaped: quotes, and what ends a sentence, end an address too. */
const ADDRESS = /https?:\/\/[^\s<>]*[^\s<>.,;:!?)]/g;
const linked = (text: string): string => text.replaceAll(ADDRESS, (url) => `<a href="${url}">${url}</a>`);

/** A mail as it looks in a program that shows HTML: the same words, with paragraphs and links. It loads nothing. */
export function htmlOf(subject: string | null, text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(escaped(paragraph)).replaceAll('\n', '<br>\n')}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject ?? '')}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">
${paragraphs.join('\n')}
</body></html>
`;
}
