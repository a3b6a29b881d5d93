/** Whether a screen asks again by itself: switched by a person, remembered for each screen. */

import { defineMessages } from "@weft/contract/kernel/message.ts";
import Switch from "antd/es/switch";
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { AutoRefreshContext, isOff, pauseLive, remember } from "#client/use-auto-refresh.ts";
import { useInvalidate } from "#feedback/use-action.ts";

const autoRefreshMessages = defineMessages({
  "autoRefresh.label": ["自动刷新", "Auto refresh"],
  "autoRefresh.what": [
    "信息每 15 秒、图表每 30 秒刷新",
    "Information every 15 s, charts every 30 s",
  ],
});

const SwitchContext = createContext<((isOn: boolean) => void) | null>(null);

interface Props {
  /** Key of the screen; its tabs share one. */
  readonly screen: string;
  readonly children: ReactNode;
}

/** Its content refetches by itself only while the switch is on. */
export function AutoRefresh({ screen, children }: Props) {
  const [isOn, setOn] = useState(() => !isOff(screen));
  const invalidate = useInvalidate();
  useEffect(() => (isOn ? undefined : pauseLive()), [isOn]);
  const set = (next: boolean): void => {
    remember(screen, next);
    setOn(next);
    // What was missed while it was off.
    if (next) invalidate("cpe", "pop", "nodeState", "link", "line", "task", "siteReport");
  };
  return (
    <AutoRefreshContext value={isOn}>
      <SwitchContext value={set}>{children}</SwitchContext>
    </AutoRefreshContext>
  );
}

/** The switch of its screen. */
export function AutoRefreshSwitch() {
  const t = useTexts(autoRefreshMessages);
  const isOn = useContext(AutoRefreshContext);
  const set = useContext(SwitchContext);
  const id = useId();
  if (!set) return null;
  return (
    <label htmlFor={id} className="w-state" title={t("autoRefresh.what")}>
      <Switch id={id} size="small" checked={isOn} onChange={set} />
      {t("autoRefresh.label")}
    </label>
  );
}
