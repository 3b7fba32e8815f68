import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToasts } from './toasts.tsx';

interface Saved {
  readonly done: string;
  /** Topics to refetch. */
  readonly topics: readonly string[];
  readonly onClose: () => void;
}

/** Saves a form and closes it. The result is false when the object to create already exists. */
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
