import { Component, type ReactNode } from 'react';
import { statusOf } from '../api/client.ts';
import { onSilence, readSilence } from '../api/reach.ts';
import { readSession } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { Empty, ErrorText } from '../parts/states.tsx';

interface FailureProps {
  /** A new place clears the failure. */
  readonly place: string;
  readonly children: ReactNode;
}

interface FailureState {
  readonly place: string;
  readonly failed: boolean;
  readonly error?: unknown;
}

/** Keeps the rest of the console working when a page fails. */
export class Failure extends Component<FailureProps, FailureState> {
  override state: FailureState = { place: this.props.place, failed: false };

  static getDerivedStateFromError(): Partial<FailureState> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ place }: FailureProps, state: FailureState): FailureState | null {
    return place === state.place ? null : { place, failed: false };
  }

  #stopListening = () => {};

  override componentDidMount(): void {
    this.#stopListening = onSilence(() => {
      if (this.state.failed && readSilence() === undefined) location.reload();
    });
  }

  override componentWillUnmount(): void {
    this.#stopListening();
  }

  /** A file may fail to load because the service is away. This call finds out, and starts the wait for its return. */
  override componentDidCatch(): void {
    void readSession().catch(() => {});
  }

  /**
   * The browser does not request a file again after it failed to load, and an upgrade changes its name. Only
   * a new document helps, and only while the service is reachable.
   */
  readonly #reload = async (): Promise<void> => {
    try {
      await readSession();
    } catch (error) {
      if (statusOf(error) === 0) return this.setState({ error });
    }
    location.reload();
  };

  override render() {
    const { failed, error } = this.state;
    if (!failed) return this.props.children;
    return (
      <Empty title="This page failed">
        <Button onClick={() => void this.#reload()}>Reload</Button>
        {error !== undefined && <ErrorText error={error} />}
      </Empty>
    );
  }
}
