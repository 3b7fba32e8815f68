import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/triggers/*?',
  title: 'Triggers',
  group: 'Rules',
  order: 10,
  icon: 'M13 3 5 13.5h6L11 21l8-10.5h-6z',
  about: 'account',
  load: () => import('./Triggers.tsx'),
};
