const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);

/** Applied to escaped text. Quotes and the punctuation that ends a sentence also end an address. */
const ADDRESS = /https?:\/\/[^\s<>]*[^\s<>.,;:!?)]/g;
const linked = (text: string): string => text.replaceAll(ADDRESS, (url) => `<a href="${url}">${url}</a>`);

/** The mail as HTML: the same text with paragraphs and links. It loads no external content. */
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
