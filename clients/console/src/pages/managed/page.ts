import type { Page } from '../../app/page.ts';

export const page: Page = {
  path: '/managed-accounts',
  title: 'Managed accounts',
  group: 'Traffic',
  order: 30,
  icon: 'M12 3v6M5 21v-6h14v6M12 9v6M9 3h6v6H9zM3 21h4M17 21h4',
  about: 'account',
  load: () => import('./Managed.tsx'),
};
