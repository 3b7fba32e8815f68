import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Session } from '../api/session.ts';

/** What a folder of src/pages says about itself in its page.ts; the shell finds it there. */
export interface Page {
  /** Without the account, such as /devices; it ends in /*? where the page has addresses of its own. */
  readonly path: string;
  readonly title: string;
  /** Which part of the navigation it stands in, and where. */
  readonly group: 'Fleet' | 'Rules' | 'Traffic' | 'Operation' | 'Operator';
  readonly order: number;
  /** The d of a 24 × 24 stroke. */
  readonly icon: string;
  /** Pages of an account lie under /accounts/:accountName. */
  readonly about: 'account' | 'console';
  readonly isFor?: (session: Session) => boolean;
  /** Beside the title, where there is something to be told of the account. */
  readonly Badge?: ComponentType<{ readonly accountName: string }>;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

interface LoadedPage extends Page {
  readonly Component: LazyExoticComponent<ComponentType>;
}

const modules = import.meta.glob<{ page: Page }>('../pages/*/page.ts', { eager: true });

export const PAGES: readonly LoadedPage[] = Object.values(modules)
  .map(({ page }) => ({ ...page, Component: lazy(page.load) }))
  .sort((a, b) => a.order - b.order);

export const pathOf = ({ path, about }: Page, accountName: string | undefined): string => {
  const plain = path.replace(/\/?\*\??$/, '');
  return about === 'account' ? `/accounts/${accountName}${plain}` : plain;
};

/** Whose address it is, whatever stands behind the name of the page. */
export function pageAt(address: string): LoadedPage | undefined {
  const path = address.replace(/^\/accounts\/[^/]+/, '');
  return PAGES.find(({ path: own }) => path.startsWith(own.replace(/\/?\*\??$/, '')));
}

/** Fetches the page of an address while the session is still asked for; the first one is the page of no address. */
export function preloadPage(address: string): void {
  // If it fails, whoever shows the page is told.
  (pageAt(address) ?? PAGES[0])?.load().catch(() => {});
}
