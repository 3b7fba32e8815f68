import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/access/*?',
  title: 'Access',
  group: 'Operator',
  order: 20,
  icon: 'M8 14a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 10h9v4M17 10v3',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Access.tsx'),
};
