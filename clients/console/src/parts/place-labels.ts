/**
 * Places labels as near as possible to these heights without overlap, all inside the area. Answers in the
 * order of the input.
 */
export function placeLabels(
  wanted: readonly number[],
  { gap, top, bottom }: { readonly gap: number; readonly top: number; readonly bottom: number },
): readonly number[] {
  const order = wanted.map((_, n) => n).toSorted((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed = new Map<number, number>();
  let next = top;
  for (const n of order) {
    const at = Math.max(next, wanted[n]!);
    placed.set(n, at);
    next = at + gap;
  }
  let last = bottom;
  for (const n of order.toReversed()) {
    const at = Math.min(last, placed.get(n)!);
    placed.set(n, at);
    last = at - gap;
  }
  return wanted.map((_, n) => placed.get(n)!);
}
