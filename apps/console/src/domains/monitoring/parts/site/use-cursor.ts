import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { useZoom } from "#parts/range/zoomable.tsx";
import type { Span } from "./axis.ts";

/** A drag of fewer px was a click. */
const shortest = 8;

interface Cursor {
  /** Of the part where time runs. */
  readonly plot: RefObject<HTMLDivElement | null>;
  /** Moment below the pointer; null: it is not over the axis. */
  readonly at: number | null;
  /** The part that is dragged over. */
  readonly drag: Span | null;
  readonly handlers: {
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(event: PointerEvent<HTMLElement>): void;
    onPointerLeave(): void;
    onDoubleClick(): void;
  };
}

/** One cursor over everything that lies on the axis; dragging picks that part of the range. */
export function useCursor(span: Span): Cursor {
  const plot = useRef<HTMLDivElement>(null);
  const zoom = useZoom();
  const [at, setAt] = useState<number | null>(null);
  const [start, setStart] = useState<number | null>(null);
  const momentOf = ({ clientX }: PointerEvent<HTMLElement>): number | null => {
    const rect = plot.current?.getBoundingClientRect();
    if (!rect || rect.width === 0 || clientX < rect.left || clientX > rect.right) return null;
    return span.from + ((clientX - rect.left) / rect.width) * (span.to - span.from);
  };
  const shortestMs = (): number =>
    ((span.to - span.from) * shortest) / (plot.current?.clientWidth || 1);
  const drag =
    start === null || at === null || Math.abs(at - start) < shortestMs()
      ? null
      : { from: Math.min(start, at), to: Math.max(start, at) };
  const end = (): void => {
    setStart(null);
    if (drag) zoom?.into(new Date(drag.from), new Date(drag.to));
  };
  return {
    plot,
    at,
    drag,
    handlers: {
      onPointerDown(event) {
        // A finger scrolls the page, and a press on a mark is for the mark.
        const isMark = (event.target as HTMLElement).closest("button, a") !== null;
        if (event.pointerType !== "mouse" || event.button !== 0 || isMark) return;
        setStart(momentOf(event));
      },
      onPointerMove(event) {
        if (event.buttons === 0) setStart(null);
        setAt(momentOf(event));
      },
      onPointerUp: end,
      onPointerLeave() {
        setAt(null);
        setStart(null);
      },
      onDoubleClick: () => zoom?.back(),
    },
  };
}
