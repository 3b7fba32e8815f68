import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/operation',
  title: 'Clock and pauses',
  group: 'Operation',
  order: 10,
  icon: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Operation.tsx'),
};
