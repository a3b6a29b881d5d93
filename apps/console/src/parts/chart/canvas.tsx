/** The drawing itself; loaded when the first chart comes on screen. Only the parts in use. */
import { LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { type ECharts, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import styles from "./line-chart.module.css";
import type { chartOption } from "./option.ts";

use([LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

interface Props {
  readonly option: ReturnType<typeof chartOption>;
  readonly height: number;
  /** What dragging over it does; null: nothing. */
  readonly zoom: { into(from: Date, to: Date): void; back(): void } | null;
}

/** A drag of fewer px was a click. */
const shortest = 8;

/** The part that is dragged over, in px from the left; and what a drawing needs to follow it. */
const useDrag = (chart: RefObject<ECharts | null>, { option, zoom }: Props) => {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const xOf = (event: PointerEvent<HTMLElement>): number =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const timeAt = (x: number): Date => {
    const times = (option.series[0]?.data ?? []).map(([at]) => at);
    const at = Number(chart.current?.convertFromPixel({ xAxisIndex: 0 }, x));
    // The axis goes a little further than what was asked for.
    return new Date(Math.round(Math.min(Math.max(at, times[0] ?? at), times.at(-1) ?? at)));
  };
  const end = (): void => {
    setDrag(null);
    if (!drag || Math.abs(drag.to - drag.from) < shortest) return;
    const [from, to] = [drag.from, drag.to].sort((a, b) => a - b).map(timeAt);
    if (from && to && from < to) zoom?.into(from, to);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // A finger scrolls the page.
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      setDrag({ from: xOf(event), to: xOf(event) });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag) return;
      // Released outside, before the drag was one.
      if (event.buttons === 0) return setDrag(null);
      const to = xOf(event);
      // Not from the start: a click on the legend must reach it.
      const isDrag = Math.abs(to - drag.from) >= shortest;
      if (isDrag) event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ ...drag, to });
    },
    onPointerUp: end,
    onPointerCancel: () => setDrag(null),
    onDoubleClick: () => zoom?.back(),
  };
  return { drag, handlers: zoom ? handlers : {} };
};

export function Canvas(props: Props) {
  const { option, height } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  useEffect(() => {
    if (!place.current) return;
    const made = init(place.current);
    chart.current = made;
    const resized = new ResizeObserver(() => made.resize());
    resized.observe(place.current);
    return () => {
      resized.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);
  const { drag, handlers } = useDrag(chart, props);
  return (
    // Hidden: the table says the same, and the range is picked above the charts as well.
    <div className={styles.canvas} aria-hidden="true" {...handlers}>
      <div ref={place} style={{ height }} />
      {drag && (
        <div
          className={styles.drag}
          style={{
            left: Math.min(drag.from, drag.to),
            width: Math.abs(drag.to - drag.from),
          }}
        />
      )}
    </div>
  );
}
