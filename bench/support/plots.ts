import { type Curve, type Finding, isMet, limitOf } from './report.ts';
import { median, show } from './statistics.ts';

const WIDTH = 960;
const ROW = 26;
const LABELS = 560;
const INK = '#1f2937';
const FAINT = '#9ca3af';
const [GOOD, BAD] = ['#0f766e', '#b91c1c'];

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!);

interface Text {
  readonly at: readonly [number, number];
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly ink?: string;
}

const written = (text: string, { at: [x, y], anchor = 'start', ink = INK }: Text): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${ink}">${escaped(text)}</text>`;

const drawing = (title: string, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;

const clipped = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/** The factor by which a measure is better than its target, in either direction; 1 is the target itself. */
function marginOf(finding: Finding): { middle: number; low: number; high: number } {
  const limit = limitOf(finding.target!);
  const margins = finding.held.map((value) =>
    'atLeast' in finding.target! ? value / limit : limit / Math.max(value, Number.EPSILON),
  );
  return { middle: median(margins), low: Math.min(...margins), high: Math.max(...margins) };
}

/** All measures with a target: the bar is the spread of the rounds, the dot their median, the vertical line the target. */
export function targetsPlot(findings: readonly Finding[]): string {
  const rows = findings.filter(({ target }) => target !== undefined);
  const [least, most] = [-1, 2];
  const x = (margin: number) => {
    const place = (Math.min(most, Math.max(least, Math.log10(margin))) - least) / (most - least);
    return LABELS + place * (WIDTH - LABELS - 60);
  };
  const height = 60 + rows.length * ROW;
  const axis = [0.1, 1, 10, 100].flatMap((margin) => [
    `<line x1="${x(margin)}" x2="${x(margin)}" y1="30" y2="${height - 20}" stroke="${margin === 1 ? INK : '#e5e7eb'}"/>`,
    written(margin === 1 ? 'target' : `${margin} times`, {
      at: [x(margin), 22],
      anchor: 'middle',
      ink: FAINT,
    }),
  ]);
  const bars = rows.flatMap((finding, row) => {
    const y = 50 + row * ROW;
    const { middle, low, high } = marginOf(finding);
    const ink = isMet(finding) ? GOOD : BAD;
    return [
      written(clipped(finding.what, 92), { at: [LABELS - 12, y + 4], anchor: 'end' }),
      `<line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" stroke="${ink}" stroke-width="6" stroke-opacity="0.35"/>`,
      `<circle cx="${x(middle)}" cy="${y}" r="5" fill="${ink}"/>`,
      written(show(middle), { at: [WIDTH - 50, y + 4], ink }),
    ];
  });
  return drawing('How far each measure is from its target', height, [...axis, ...bars]);
}

const PANEL = 150;

/** One panel for each curve: sizes on a logarithmic scale, costs from zero. */
export function curvesPlot(curves: readonly Curve[]): string {
  const panels = curves.flatMap(({ name, points }, panel) => {
    const [top, bottom] = [40 + panel * PANEL, panel * PANEL + PANEL - 20];
    const sizes = points.map(({ size }) => Math.log10(size));
    const [first, last] = [Math.min(...sizes), Math.max(...sizes)];
    const most = Math.max(...points.flatMap(({ values }) => values)) * 1.15;
    const x = (size: number) =>
      80 + ((Math.log10(size) - first) / Math.max(last - first, Number.EPSILON)) * (WIDTH - 160);
    const y = (value: number) => bottom - (value / most) * (bottom - top);
    const line = points.map(({ size, values }) => `${x(size)},${y(median(values))}`).join(' ');
    return [
      written(name, { at: [80, top - 14] }),
      `<line x1="80" x2="${WIDTH - 80}" y1="${bottom}" y2="${bottom}" stroke="${FAINT}"/>`,
      `<polyline points="${line}" fill="none" stroke="${GOOD}" stroke-width="2"/>`,
      ...points.flatMap(({ size, values }) => [
        `<line x1="${x(size)}" x2="${x(size)}" y1="${y(Math.min(...values))}" y2="${y(Math.max(...values))}" stroke="${GOOD}" stroke-width="6" stroke-opacity="0.35"/>`,
        `<circle cx="${x(size)}" cy="${y(median(values))}" r="4" fill="${GOOD}"/>`,
        written(show(median(values)), { at: [x(size), y(median(values)) - 8], anchor: 'middle' }),
        written(show(size), { at: [x(size), bottom + 14], anchor: 'middle', ink: FAINT }),
      ]),
    ];
  });
  return drawing('What a device costs as the fleet grows', curves.length * PANEL + 10, panels);
}

const [TILE, TILES_IN_ROW] = [110, 3];

/** One tile for each line, with its values in order, from zero. A missing value leaves a gap. */
export function linesPlot(
  title: string,
  lines: readonly { readonly name: string; readonly values: readonly number[] }[],
): string {
  const tiles = lines.flatMap(({ name, values }, nth) => {
    const width = WIDTH / TILES_IN_ROW;
    const [left, top] = [(nth % TILES_IN_ROW) * width + 20, Math.floor(nth / TILES_IN_ROW) * TILE + 30];
    const known = values.map((value, n) => ({ value, n })).filter(({ value }) => !Number.isNaN(value));
    const most = Math.max(Number.EPSILON, ...known.map(({ value }) => value)) * 1.1;
    const bottom = top + TILE - 50;
    const x = (n: number) => left + (n / Math.max(1, values.length - 1)) * (width - 60);
    const y = (value: number) => bottom - (value / most) * (TILE - 50);
    const last = known.at(-1);
    return [
      written(`${name}: ${last === undefined ? 'nothing' : show(last.value)}`, { at: [left, top - 6] }),
      `<line x1="${left}" x2="${left + width - 60}" y1="${bottom}" y2="${bottom}" stroke="${FAINT}"/>`,
      `<polyline points="${known.map(({ value, n }) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}" fill="none" stroke="${GOOD}" stroke-width="2"/>`,
    ];
  });
  return drawing(title, Math.ceil(lines.length / TILES_IN_ROW) * TILE + 10, tiles);
}
