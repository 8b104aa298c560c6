import { Component, type ReactNode } from "react";

interface Props {
  /** What stands in the place of what can't be drawn. */
  fallback: (error: unknown) => ReactNode;
  children: ReactNode;
}

/** Keeps what can't be drawn from taking the page around it down. */
export class Boundary extends Component<Props, { failed: boolean; error: unknown }> {
  override state = { failed: false, error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error };
  }

  override render() {
    return this.state.failed ? this.props.fallback(this.state.error) : this.props.children;
  }
}
