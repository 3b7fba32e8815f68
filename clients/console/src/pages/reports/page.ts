import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/location-reports/*?',
  title: 'Location reports',
  group: 'Fleet',
  order: 40,
  icon: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  about: 'account',
  load: () => import('./Reports.tsx'),
};
