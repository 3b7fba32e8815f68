import { colorOf } from '../../parts/chart-options.ts';
import { type BaseMap, type Piece, SQUARE } from './base-map.ts';
import type { Fleet } from './fleet.ts';
import type { Shown } from './grid.ts';
import { metresPerPx, type Size, toScreen, type View, worldPx, xOf, yOf } from './view.ts';

export interface Colors {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly point: string;
  readonly cluster: string;
  readonly number: string;
}

const colorsAt = (place: HTMLElement): Colors => ({
  water: colorOf(place, 'sunken'),
  land: colorOf(place, 'surface'),
  border: colorOf(place, 'line-strong'),
  point: colorOf(place, 'chart-1'),
  cluster: colorOf(place, 'accent'),
  number: colorOf(place, 'on-accent'),
});

const known = new Map<string, Colors>();
/** Asked of the page once for each look: a map is drawn many times a second. */
export function colorsOf(theme: 'light' | 'dark'): Colors {
  const colors = known.get(theme) ?? colorsAt(document.body);
  known.set(theme, colors);
  return colors;
}

const POINT_PX = 5;
/** Smaller circles would hide behind their point. */
const CIRCLE_FROM_PX = 8;
const FULL_TURN = 2 * Math.PI;

export const radiusOf = ({ count }: Shown): number => (count === 1 ? POINT_PX : 11 + Math.log10(count) * 5);

/** Shortened, so that it fits its circle. */
const countText = (count: number): string =>
  count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;

export interface Scene {
  readonly view: View;
  readonly size: Size;
  readonly base: BaseMap | undefined;
  readonly fleet: Fleet;
  readonly shown: readonly Shown[];
  readonly colors: Colors;
}

function drawBase(ctx: CanvasRenderingContext2D, dpr: number, { view, size, base, colors }: Scene): void {
  if (base === undefined) return;
  const scale = worldPx(view) / SQUARE;
  const [left, top] = toScreen(view, size, 0, 0);
  const [west, north] = [-left / scale, -top / scale];
  const [east, south] = [west + size.width / scale, north + size.height / scale];
  const isSeen = (piece: Piece): boolean =>
    piece.west < east && piece.east > west && piece.north < south && piece.south > north;
  ctx.setTransform(scale * dpr, 0, 0, scale * dpr, left * dpr, top * dpr);
  ctx.fillStyle = colors.land;
  ctx.strokeStyle = colors.border;
  ctx.lineWidth = 0.6 / scale;
  for (const piece of base.land.filter(isSeen)) ctx.fill(piece.path);
  for (const piece of base.borders.filter(isSeen)) ctx.stroke(piece.path);
}

function drawCircle(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.globalAlpha = 0.16;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, FULL_TURN);
  ctx.fill();
  ctx.globalAlpha = 0.7;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.globalAlpha = 1;
}

function drawShown(ctx: CanvasRenderingContext2D, { view, size, fleet, shown, colors }: Scene): void {
  ctx.font = '600 11px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (const one of shown) {
    const [x, y] = toScreen(view, size, xOf(one.longitude), yOf(one.latitude));
    const color = one.count === 1 ? colors.point : colors.cluster;
    ctx.fillStyle = color;
    ctx.strokeStyle = color;
    if ('nth' in one) {
      const accuracy = (fleet.radii[one.nth] ?? 0) / metresPerPx(view, one.latitude);
      if (accuracy >= CIRCLE_FROM_PX) drawCircle(ctx, x, y, accuracy);
    }
    ctx.beginPath();
    ctx.arc(x, y, radiusOf(one), 0, FULL_TURN);
    ctx.fill();
    ctx.strokeStyle = colors.land;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    if (one.count === 1) continue;
    ctx.fillStyle = colors.number;
    ctx.fillText(countText(one.count), x, y + 0.5);
  }
}

export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  const dpr = window.devicePixelRatio;
  const { size, colors } = scene;
  const [width, height] = [Math.round(size.width * dpr), Math.round(size.height * dpr)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.fillStyle = colors.water;
  ctx.fillRect(0, 0, width, height);
  drawBase(ctx, dpr, scene);
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  drawShown(ctx, scene);
}
