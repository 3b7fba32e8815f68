import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/callbacks',
  title: 'Callbacks',
  group: 'Traffic',
  order: 10,
  icon: 'M4 12h11M11 7l5 5-5 5M20 5v14',
  about: 'account',
  load: () => import('./Callbacks.tsx'),
};
