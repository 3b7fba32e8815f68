import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/alerts',
  title: 'Smart alerts',
  group: 'Rules',
  order: 30,
  icon: 'M12 4a5 5 0 0 1 5 5v4l2 3H5l2-3V9a5 5 0 0 1 5-5zM10 19h4',
  about: 'account',
  load: () => import('./Alerts.tsx'),
};
