import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/overview',
  title: 'Overview',
  group: 'Fleet',
  order: 10,
  icon: 'M4 19h16M6 16V9M11 16V5M16 16v-4',
  about: 'account',
  load: () => import('./Overview.tsx'),
};
