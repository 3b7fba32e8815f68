import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlOf } from './html-mail.ts';

const bodyOf = (text: string) => /<p>.*<\/p>/s.exec(htmlOf('Subject', text))?.[0];

describe('a mail as HTML', () => {
  it('has the text in its paragraphs and lines', () =>
    assert.equal(bodyOf('One\nline\n\nAnother'), '<p>One<br>\nline</p>\n<p>Another</p>'));

  it('escapes HTML in the text', () => {
    assert.equal(
      bodyOf('<img src="x" onerror=\'a\'> & b'),
      '<p>&lt;img src=&quot;x&quot; onerror=&#39;a&#39;&gt; &amp; b</p>',
    );
    assert.match(htmlOf('</title><script>', ''), /<title>&lt;\/title&gt;&lt;script&gt;<\/title>/);
  });

  it('links addresses without the full stop after them', () =>
    assert.equal(
      bodyOf('See https://x.example/a?b=1&c=2.'),
      '<p>See <a href="https://x.example/a?b=1&amp;c=2">https://x.example/a?b=1&amp;c=2</a>.</p>',
    ));
});
