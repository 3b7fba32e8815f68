import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { moved, type Size, type View, zoomed } from './view.ts';

const WHEEL_ZOOM = 0.0025;
const KEY_PX = 90;
/** Less than this is a click with a trembling hand. */
const CLICK_PX = 5;

type Place = readonly [number, number];
export type ChangeView = (change: (view: View) => View) => void;

const KEYS: Readonly<Record<string, Place>> = {
  ArrowLeft: [-KEY_PX, 0],
  ArrowRight: [KEY_PX, 0],
  ArrowUp: [0, -KEY_PX],
  ArrowDown: [0, KEY_PX],
};

interface Gestures {
  readonly size: Size;
  readonly change: ChangeView;
  readonly showAll: () => void;
  readonly onClick: (at: Place) => void;
  readonly onHover: (at: Place | undefined) => void;
}

const middleOf = ({ width, height }: Size): Place => [width / 2, height / 2];
const distance = (a: Place, b: Place): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Mouse, touch and keyboard: drag or arrows to move; wheel, two fingers, + and − to zoom. */
export function useGestures(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  { size, change, showAll, onClick, onHover }: Gestures,
) {
  const fingers = useRef(new Map<number, Place>());
  const travelled = useRef(0);
  const placeOf = (event: { clientX: number; clientY: number }): Place => {
    const box = canvas.current?.getBoundingClientRect();
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
  };

  // React listens to the wheel passively; the page would scroll as well.
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const at: Place = [event.clientX - box.left, event.clientY - box.top];
      change((view) => zoomed(view, size, -event.deltaY * WHEEL_ZOOM, at));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, size, change]);

  const onPointerMove = (event: PointerEvent) => {
    const at = placeOf(event);
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return onHover(at);
    const [other] = [...fingers.current].flatMap(([id, place]) => (id === event.pointerId ? [] : [place]));
    fingers.current.set(event.pointerId, at);
    travelled.current += distance(before, at);
    if (other === undefined) return change((view) => moved(view, before[0] - at[0], before[1] - at[1]));
    const by = Math.log2(Math.max(1, distance(at, other)) / Math.max(1, distance(before, other)));
    change((view) => zoomed(view, size, by, [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]));
  };
  const onPointerUp = (event: PointerEvent) => {
    if (!fingers.current.delete(event.pointerId)) return;
    if (fingers.current.size === 0 && travelled.current < CLICK_PX) onClick(placeOf(event));
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      if (fingers.current.size === 0) travelled.current = 0;
      fingers.current.set(event.pointerId, placeOf(event));
    },
    onPointerMove,
    onPointerUp,
    onPointerCancel: (event: PointerEvent) => void fingers.current.delete(event.pointerId),
    onPointerLeave: () => onHover(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      const step = KEYS[event.key];
      if (step !== undefined) change((view) => moved(view, ...step));
      else if (event.key === '+' || event.key === '=')
        change((view) => zoomed(view, size, 1, middleOf(size)));
      else if (event.key === '-') change((view) => zoomed(view, size, -1, middleOf(size)));
      else if (event.key === '0') showAll();
      else return;
      event.preventDefault();
    },
  };
}
