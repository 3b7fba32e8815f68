import { Component, type ReactNode } from 'react';
import { statusOf } from '../api/client.ts';
import { onSilence, readSilence } from '../api/reach.ts';
import { readSession } from '../api/session.ts';
import { Button } from '../parts/Button.tsx';
import { Empty, ErrorText } from '../parts/states.tsx';

interface FailureProps {
  /** Another place is another try. */
  readonly place: string;
  readonly children: ReactNode;
}

interface FailureState {
  readonly place: string;
  readonly failed: boolean;
  readonly error?: unknown;
}

/** A page that fails leaves the rest of the console standing. */
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

  /** A file cannot be loaded from a service that is gone: whether it is, shows now, and when it is back. */
  override componentDidCatch(): void {
    void readSession().catch(() => {});
  }

  /**
   * A file that could not be loaded is not asked for again by the browser, and after an upgrade it has another name: only
   * a new document helps. Where the service is away there would be none.
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
      <Empty title="This page has failed">
        <Button onClick={() => void this.#reload()}>Load it again</Button>
        {error !== undefined && <ErrorText error={error} />}
      </Empty>
    );
  }
}
