import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/billing',
  title: 'Billing',
  group: 'Traffic',
  order: 20,
  icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  about: 'account',
  load: () => import('./Billing.tsx'),
};
