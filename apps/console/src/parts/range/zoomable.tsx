import { createContext, type ReactNode, useContext, useMemo, useRef } from "react";
import { type RangeKey, spanKey } from "./range.ts";
import type { PickedRange } from "./use-range.ts";

/** What dragging over a chart does to the range that all charts around it show. */
interface Zoom {
  into(from: Date, to: Date): void;
  /** To the range before the last step in; nothing without one. */
  back(): void;
}

const ZoomContext = createContext<Zoom | null>(null);

/** null: the range around this chart cannot be picked. */
export const useZoom = (): Zoom | null => useContext(ZoomContext);

interface Props {
  readonly picked: PickedRange;
  readonly children: ReactNode;
}

/** Charts inside pick the range by dragging over them. */
export function Zoomable({ picked, children }: Props) {
  const before = useRef<RangeKey[]>([]);
  const now = useRef(picked);
  now.current = picked;
  const zoom = useMemo(
    (): Zoom => ({
      into(from, to) {
        before.current.push(now.current.key);
        now.current.pick(spanKey(from, to));
      },
      back() {
        const key = before.current.pop();
        if (key) now.current.pick(key);
      },
    }),
    [],
  );
  return <ZoomContext value={zoom}>{children}</ZoomContext>;
}
