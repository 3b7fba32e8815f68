import { Component, type ReactNode } from 'react';
import { Button } from '../parts/Button.tsx';
import { Empty } from '../parts/states.tsx';

/** A page that fails leaves the rest of the console standing. */
export class Failure extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty title="This page has failed">
        <Button onClick={() => this.setState({ failed: false })}>Show it again</Button>
      </Empty>
    );
  }
}
