import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TypeToConfirm } from '../../parts/TypeToConfirm.tsx';

interface DeleteForGoodProps<T> {
  readonly title: string;
  /** The text that the user must type. */
  readonly word: string;
  readonly question: ReactNode;
  readonly deleting: UseMutationResult<unknown, Error, void>;
  readonly belongings: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Space for the list, so that the layout stays still when it arrives. */
  readonly height: number;
  readonly children: (belongings: NonNullable<T>) => ReactNode;
  readonly onClose: () => void;
}

/** Lists what is deleted with an account or a customer, and deletes it after its name was typed. */
export function DeleteForGood<T>(props: DeleteForGoodProps<T>) {
  const { title, word, question, deleting, belongings, height, children, onClose } = props;
  const { data, error, isPending, refetch } = belongings;
  return (
    <TypeToConfirm
      title={title}
      word={word}
      action="Delete permanently"
      busy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>{question} You cannot undo this.</p>
      <div style={{ minHeight: height }}>
        <ReadProblem error={error} data={data} retry={() => void refetch()} />
        {isPending && <Skeleton height={height} />}
        {data && children(data)}
      </div>
    </TypeToConfirm>
  );
}
