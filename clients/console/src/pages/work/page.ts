import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/work',
  title: 'Work',
  group: 'Operator',
  order: 50,
  icon: 'M4 6h16M4 12h10M4 18h7M16 15l2 2 4-4',
  about: 'console',
  isFor: ({ kind }) => kind === 'operator',
  load: () => import('./Work.tsx'),
};
