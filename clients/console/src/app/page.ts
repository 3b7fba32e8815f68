import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Session } from '../api/session.ts';

/** The description that each folder of src/pages exports from its page.ts for the shell. */
export interface Page {
  /** Path without the account, such as /devices. It ends in /*? when the page has subpages. */
  readonly path: string;
  readonly title: string;
  /** Group and position in the navigation. */
  readonly group: 'Fleet' | 'Rules' | 'Traffic' | 'Operation' | 'Operator';
  readonly order: number;
  /** Path data of a 24 × 24 outline. */
  readonly icon: string;
  /** Pages of an account have paths under /accounts/:accountName. */
  readonly about: 'account' | 'console';
  readonly isFor?: (session: Session) => boolean;
  /** Shown next to the title when there is something to report about the account. */
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

/** Finds the page of an address and ignores the rest of the path. */
export function pageAt(address: string): LoadedPage | undefined {
  const path = address.replace(/^\/accounts\/[^/]+/, '');
  return PAGES.find(({ path: own }) => path.startsWith(own.replace(/\/?\*\??$/, '')));
}

/** Loads the code of the addressed page while the session request is running; without an address, that of the first page. */
export function preloadPage(address: string): void {
  // The component that shows the page reports a failure.
  (pageAt(address) ?? PAGES[0])?.load().catch(() => {});
}
