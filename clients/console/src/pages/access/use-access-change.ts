import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToasts } from '../../parts/toasts.tsx';

/** Changes access, refetches the lists and reports success. */
export function useAccessChange<Given, Done>(
  change: (given: Given) => Promise<Done>,
  done: (given: Given, result: Done) => string | undefined,
) {
  const queries = useQueryClient();
  const { say } = useToasts();
  return useMutation({
    mutationFn: change,
    onSuccess: (result, given) => {
      const said = done(given, result);
      if (said !== undefined) say(said);
      // Does not wait, so that a secret shows at once.
      void queries.invalidateQueries({ queryKey: ['access'] });
    },
  });
}
