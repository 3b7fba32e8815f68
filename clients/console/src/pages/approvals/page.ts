import type { Page } from '../../app/page.ts';
import { WaitingBadge } from './WaitingBadge.tsx';

export const page: Page = {
  path: '/approvals',
  title: 'Approvals',
  group: 'Rules',
  order: 15,
  icon: 'M9 4h6v3H9zM15 5h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1h3M9 14l2.2 2.2L15.5 12',
  about: 'account',
  Badge: WaitingBadge,
  load: () => import('./Approvals.tsx'),
};
