/** The drawing itself; loaded when the first chart comes on screen. Only the parts in use. */
import { LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { type ECharts, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import type { chartOption } from "./option.ts";

use([LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

interface Props {
  readonly option: ReturnType<typeof chartOption>;
  readonly height: number;
}

export function Canvas({ option, height }: Props) {
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
  return <div ref={place} style={{ height }} aria-hidden="true" />;
}
