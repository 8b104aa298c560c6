import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import classes from "./Resizer.module.css";

const STEP = 16;

interface Props {
  /** The edge of the panel on which it lies; the panel grows when it is drawn away from it. */
  edge: "left" | "top";
  /** The panel's width or height, in px, and its bounds. */
  size: number;
  least: number;
  most: number;
  label: string;
  onSize: (size: number) => void;
  /** After a drag. */
  onEnd?: () => void;
}

/** An edge of a docked panel that is dragged, or moved by the arrow keys. The panel is its positioned parent. */
export function Resizer({ edge, size, least, most, label, onSize, onEnd }: Props) {
  const from = useRef<{ at: number; size: number } | null>(null);
  const fit = (wanted: number) => onSize(Math.max(least, Math.min(most, Math.round(wanted))));
  const [grow, shrink] = edge === "left" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  const placeOf = (event: PointerEvent) => (edge === "left" ? event.clientX : event.clientY);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== grow && event.key !== shrink) return;
    fit(size + (event.key === grow ? STEP : -STEP));
    event.preventDefault();
    event.stopPropagation();
  };
  const end = () => {
    if (!from.current) return;
    from.current = null;
    onEnd?.();
  };
  return (
    <div
      className={classes.resizer}
      data-edge={edge}
      role="separator"
      aria-orientation={edge === "left" ? "vertical" : "horizontal"}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { at: placeOf(event), size };
      }}
      onPointerMove={(event) => from.current && fit(from.current.size + from.current.at - placeOf(event))}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
