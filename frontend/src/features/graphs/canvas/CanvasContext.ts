import { createContext, useContext } from "react";

/** What nodes of the canvas can do; the same object for the life of the canvas. */
export interface CanvasActions {
  /** The port at the right of a step was pressed by key. */
  onPort?: (name: string) => void;
  onToggleBreakpoint?: (name: string) => void;
  onResizeNote?: (index: number, size: { x: number; y: number; width: number; height: number }) => void;
}

export const CanvasContext = createContext<CanvasActions>({});

export const useCanvas = (): CanvasActions => useContext(CanvasContext);
