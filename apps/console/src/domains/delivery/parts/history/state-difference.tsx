import { lazy } from "react";
import { OpenedLater } from "#ui/opened-later.tsx";
import type { DifferenceProps } from "./difference-drawer.tsx";

const DifferenceDrawer = lazy(async () => ({
  default: (await import("./difference-drawer.tsx")).DifferenceDrawer,
}));

/** The drawer with what lies between two states; its files are loaded when it is opened. */
export function StateDifference(props: DifferenceProps) {
  return (
    <OpenedLater open={props.pair !== null}>
      <DifferenceDrawer {...props} />
    </OpenedLater>
  );
}
