import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const css = readFileSync('clients/console/src/style/tokens.css', 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }],
  ),
);

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const GROUNDS = ['ground', 'surface', 'raised', 'sunken'];
const TEXT: readonly [string, readonly string[]][] = [
  ['text', [...GROUNDS, 'accent-ground', 'good-ground', 'warn-ground', 'bad-ground']],
  ['text-soft', [...GROUNDS, 'accent-ground']],
  ['accent', [...GROUNDS, 'accent-ground']],
  ['on-accent', ['accent']],
  ['good', ['surface', 'raised', 'good-ground']],
  ['warn', ['surface', 'raised', 'warn-ground']],
  ['bad', ['surface', 'raised', 'sunken', 'bad-ground']],
];
/** Shapes that must be visible: borders of controls, bars and lines of charts, and the focus ring. */
const SHAPES: readonly [string, readonly string[]][] = [
  ['line-strong', ['surface', 'ground', 'raised']],
  ['chart-1', ['surface', 'sunken']],
  ['chart-2', ['surface']],
  ['chart-3', ['surface']],
  ['accent', ['ground', 'surface']],
];

describe('colours', () => {
  for (const look of ['light', 'dark'] as const) {
    for (const [what, pairs, least] of [
      ['text', TEXT, 4.5],
      ['shapes', SHAPES, 3],
    ] as const) {
      it(`of ${what} have a contrast of ${least} at least, ${look}`, () => {
        const poor = pairs.flatMap(([name, grounds]) =>
          grounds.flatMap((ground) => {
            const ratio = contrast(tokens.get(name)![look], tokens.get(ground)![look]);
            return ratio >= least ? [] : [`${name} on ${ground}: ${ratio.toFixed(2)}`];
          }),
        );
        assert.deepEqual(poor, []);
      });
    }
  }

  it('are written in tokens.css and nowhere else', () => {
    for (const file of ['base', 'shell', 'parts', 'forms', 'table']) {
      const text = readFileSync(`clients/console/src/style/${file}.css`, 'utf8');
      assert.deepEqual(text.match(/#[0-9a-f]{3,8}\b/gi) ?? [], [], file);
    }
  });
});
