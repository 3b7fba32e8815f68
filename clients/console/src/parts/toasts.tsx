import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from './Button.tsx';
import { ICONS, Icon } from './Icon.tsx';
import { sentenceOf } from './states.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

interface Toaster {
  readonly say: (text: string) => void;
  /** A problem without an error object. */
  readonly warn: (text: string) => void;
  readonly complain: (error: unknown) => void;
}

/** A message about a finished action. Problems stay until the user dismisses them. */
const SHOWN_MS = 6_000;
const SHOWN_MAX = 4;
const ToastContext = createContext<Toaster>({ say: () => {}, warn: () => {}, complain: () => {} });
let lastId = 0;

/** Reports finished and failed actions. */
export const useToasts = (): Toaster => useContext(ToastContext);

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const add = useCallback(
    (text: string, tone: Toast['tone']) => {
      const id = ++lastId;
      setToasts((shown) => [...shown, { id, text, tone }].slice(-SHOWN_MAX));
      if (tone === 'good') setTimeout(() => remove(id), SHOWN_MS);
    },
    [remove],
  );
  const toaster = useMemo<Toaster>(
    () => ({
      say: (text) => add(text, 'good'),
      warn: (text) => add(text, 'bad'),
      complain: (error) => add(sentenceOf(error), 'bad'),
    }),
    [add],
  );
  return (
    <ToastContext value={toaster}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, tone }) => (
          <div key={id} className="toast" data-tone={tone}>
            {text}
            <Button kind="plain" className="icon-only" aria-label="Dismiss" onClick={() => remove(id)}>
              <Icon d={ICONS.close} size={16} />
            </Button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
