import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToasts } from './toasts.tsx';

interface Saved {
  readonly done: string;
  /** What is read again. */
  readonly topics: readonly string[];
  readonly onClose: () => void;
}

/** Writes what a form holds, and closes it. False where what should be new is there already. */
export function useSave<Entry>(write: (entry: Entry) => Promise<boolean>, { done, topics, onClose }: Saved) {
  const queries = useQueryClient();
  const { say } = useToasts();
  return useMutation({
    mutationFn: write,
    onSuccess: async (isWritten) => {
      if (!isWritten) return;
      say(done);
      onClose();
      for (const topic of topics) await queries.invalidateQueries({ queryKey: [topic] });
    },
  });
}
