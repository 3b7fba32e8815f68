import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TypeToConfirm } from '../../parts/TypeToConfirm.tsx';

interface DeleteForGoodProps<T> {
  readonly title: string;
  /** What has to be typed. */
  readonly word: string;
  readonly question: ReactNode;
  readonly deleting: UseMutationResult<unknown, Error, void>;
  readonly belongings: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Kept free for the list, so that nothing moves when it comes. */
  readonly height: number;
  readonly children: (belongings: NonNullable<T>) => ReactNode;
  readonly onClose: () => void;
}

/** Shows what goes with an account or a customer, and deletes it when its name was typed. */
export function DeleteForGood<T>(props: DeleteForGoodProps<T>) {
  const { title, word, question, deleting, belongings, height, children, onClose } = props;
  const { data, error, isPending, refetch } = belongings;
  return (
    <TypeToConfirm
      title={title}
      word={word}
      action="Delete it for good"
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
