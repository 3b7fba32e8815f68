import { createContext, useContext } from 'react';

/** Whether changes arrive by themselves. */
export const LiveContext = createContext(false);

export function LiveDot() {
  const live = useContext(LiveContext);
  return (
    <span className="live-dot" data-live={live} role="status">
      <span className="wide-only">{live ? 'Live' : 'Not live'}</span>
    </span>
  );
}
