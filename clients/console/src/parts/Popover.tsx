import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';

/** A button with a panel; Escape or a click elsewhere closes the panel. */
export function Popover({
  label,
  button,
  side = 'left',
  children,
}: {
  readonly label: string;
  readonly button: ReactNode;
  readonly side?: 'left' | 'right';
  readonly children: (close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const onDown = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', onDown);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onDown);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return (
    <div className="popover" ref={box}>
      <Button aria-label={label} aria-expanded={open} onClick={() => setOpen(!open)}>
        {button}
      </Button>
      {open && (
        <div className="popover-panel" data-side={side}>
          {children(() => setOpen(false))}
        </div>
      )}
    </div>
  );
}
